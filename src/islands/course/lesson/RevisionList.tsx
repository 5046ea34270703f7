import { type FormEvent, useState } from 'react'
import { Button } from '#islands/ui/Button.tsx'
import { Field } from '#islands/ui/Field.tsx'
import { formatRelativeDateTime, type Locale } from '#lib/core/shared/locale.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'

/** A revision as returned by the API. */
export interface Revision {
  version: number
  kind: 'auto' | 'named' | 'restore' | 'published'
  note: string | null
  title: string
  at: string
  by: string
}

interface Props {
  /** Null while loading. */
  revisions: Revision[] | null
  chosen: number | null
  /** The draft's version, which can be named too. */
  version: number
  saved: boolean
  zone: string
  locale: Locale
  t: Translate
  onChoose: (version: number) => void
  onName: (version: number, note: string) => Promise<void>
  onRestore: (version: number) => Promise<void>
}

/** Revisions, newest first; the selected one can be named or restored. */
export function RevisionList({ revisions, chosen, version, saved, t, ...props }: Props) {
  return (
    <div className="min-w-0">
      <NameForm
        label={t('editor:revision.nameNow')}
        disabled={!saved}
        t={t}
        onName={(note) => props.onName(version, note)}
      />
      {revisions === null && <div className="skeleton-line mt-4 h-32" />}
      {revisions?.length === 0 && <p className="mt-4 text-muted text-sm">{t('editor:revision.none')}</p>}
      <ul className="mt-3 max-h-96 divide-y divide-base-300 overflow-y-auto border-base-300 border-y">
        {revisions?.map((revision) => (
          <li key={revision.version} className={revision.version === chosen ? 'bg-base-200' : ''}>
            <button
              type="button"
              className="block w-full px-2 py-2 text-start text-sm hover:bg-base-200"
              aria-pressed={revision.version === chosen}
              onClick={() => props.onChoose(revision.version)}
            >
              <span className="block font-medium">{formatRelativeDateTime(revision.at, props.zone, props.locale)}</span>
              {revision.note && <span className="block break-words">{revision.note}</span>}
              <span className="block text-muted text-xs">
                {[t(`editor:revision.kind.${revision.kind}`), revision.by].filter(Boolean).join(' · ')}
              </span>
            </button>
            {revision.version === chosen && (
              <div className="grid gap-2 px-2 pb-3">
                <Button small onClick={() => void props.onRestore(revision.version)}>
                  {t('editor:revision.restore')}
                </Button>
                <NameForm
                  label={t('editor:revision.name')}
                  value={revision.note ?? ''}
                  t={t}
                  onName={(note) => props.onName(revision.version, note)}
                />
              </div>
            )}
          </li>
        ))}
      </ul>
    </div>
  )
}

interface NameProps {
  label: string
  value?: string
  disabled?: boolean
  t: Translate
  onName: (note: string) => Promise<void>
}

function NameForm({ label, value = '', disabled, t, onName }: NameProps) {
  const [note, setNote] = useState(value)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (note.trim() === '' || disabled) return
    await onName(note.trim())
    if (value === '') setNote('')
  }
  return (
    <form onSubmit={(event) => void submit(event)} className="flex items-end gap-2">
      <Field
        className="min-w-0 flex-1"
        label={label}
        value={note}
        maxLength={120}
        onChange={(event) => setNote(event.target.value)}
      />
      <Button type="submit" small className="mb-1">
        {t('shell:button.save')}
      </Button>
    </form>
  )
}
