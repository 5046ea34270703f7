import { X } from 'lucide-react'
import { useCallback, useEffect, useState } from 'react'
import { api } from '#islands/stores/api.ts'
import { CallError } from '#islands/stores/call-error.ts'
import { fail, succeed } from '#islands/stores/notice.ts'
import { Button } from '#islands/ui/Button.tsx'
import { Select } from '#islands/ui/Select.tsx'
import { formatMoment, type Locale } from '#lib/core/shared/locale.ts'
import type { Say } from '#lib/core/shared/text/strings.ts'
import type { LessonPanel } from './LessonBar.tsx'
import { LessonCompare } from './LessonCompare.tsx'
import type { LessonText } from './lesson.ts'
import { type Revision, RevisionList } from './RevisionList.tsx'

type Versioned = LessonText & { version: number }

interface Props {
  lessonId: string
  /** The text as it stands in the editor, and the version of the server's. */
  draft: LessonText
  version: number
  /** The server has it as it stands. */
  saved: boolean
  panel: LessonPanel
  zone: string
  locale: Locale
  say: Say
  onClose: () => void
  onRestore: (version: number) => Promise<unknown>
}

/** Earlier texts of the lesson beside what they are compared with; for `changes`, what students read. */
export function LessonHistory(props: Props) {
  const { lessonId, draft, version, panel, locale, say, onClose } = props
  const { revisions, load } = useRevisions(lessonId, version)
  const [chosen, setChosen] = useState<number | null>(null)
  const [beside, setBeside] = useState('editor')
  const looked = panel === 'changes' ? 'published' : chosen
  const text = useText(lessonId, looked)
  const other = useText(lessonId, panel === 'changes' || beside === 'editor' ? null : Number(beside))
  const against = panel === 'changes' || beside === 'editor' ? draft : other
  const title = say(panel === 'changes' ? 'editor:revision.changesTitle' : 'editor:revision.title')

  const restore = async (earlier: number) => {
    await props.onRestore(earlier).then(() => succeed(say('editor:revision.restored')), told)
    load()
  }
  const name = async (which: number, note: string) => {
    await api.course.nameRevision({ lessonId, version: which, note }).then(load, told)
  }

  return (
    <section aria-label={title} className="card-line mb-4 p-4 sm:p-5">
      <div className="mb-3 flex items-start justify-between gap-3">
        <div>
          <h3 className="font-semibold">{title}</h3>
          <p className="text-muted text-sm">
            {say(panel === 'changes' ? 'editor:revision.changesHint' : 'editor:revision.hint')}
          </p>
        </div>
        <Button
          small
          tone="quiet"
          className="btn-square"
          aria-label={say('editor:revision.close')}
          onClick={onClose}
          icon={<X size={20} strokeWidth={1.75} />}
        />
      </div>
      <div className={panel === 'history' ? 'grid gap-5 lg:grid-cols-[17rem_minmax(0,1fr)]' : ''}>
        {panel === 'history' && (
          <RevisionList
            revisions={revisions}
            chosen={chosen}
            version={version}
            locale={locale}
            say={say}
            zone={props.zone}
            saved={props.saved}
            onChoose={setChosen}
            onName={name}
            onRestore={restore}
          />
        )}
        <section className="min-w-0" aria-label={say('editor:revision.difference')}>
          {looked === null && <p className="text-muted text-sm">{say('editor:revision.choose')}</p>}
          {panel === 'history' && looked !== null && (
            <Select
              label={say('editor:revision.beside')}
              className="mb-4 max-w-md"
              value={beside}
              onChange={({ target }) => setBeside(target.value)}
              options={besides(revisions ?? [], props)}
            />
          )}
          {looked !== null && !(text && against) && <div className="skeleton h-24" />}
          {text && against && <LessonCompare {...inOrder(text, against)} locale={locale} say={say} />}
        </section>
      </div>
    </section>
  )
}

/** What the chosen version can be compared with. */
function besides(revisions: Revision[], { zone, locale, say }: Props) {
  const earlier = revisions.map(({ version, at, note }) => ({
    value: String(version),
    label: [formatMoment(at, zone, locale), note].filter(Boolean).join(' · '),
  }))
  return [{ value: 'editor', label: say('editor:revision.editor') }, ...earlier]
}

// The older one stands first: what came later is what came.
function inOrder(text: Versioned, against: Partial<Versioned> & LessonText) {
  const later = against.version !== undefined && against.version < text.version
  return later ? { before: against, after: text } : { before: text, after: against }
}

const told = (error: unknown) => fail(CallError.from(error).message)

function useRevisions(lessonId: string, version: number) {
  const [revisions, setRevisions] = useState<Revision[] | null>(null)
  const load = useCallback(
    () => void api.course.listRevisions({ lessonId }, { context: { quiet: true } }).then(setRevisions, told),
    [lessonId],
  )
  useEffect(() => {
    if (version > 0) load()
  }, [load, version])
  return { revisions, load }
}

function useText(lessonId: string, of: number | 'published' | null): Versioned | null {
  const [found, setFound] = useState<{ of: number | 'published'; text: Versioned } | null>(null)
  useEffect(() => {
    let gone = false
    if (of !== null) {
      void api.course
        .getLessonText({ lessonId, of }, { context: { quiet: true } })
        .then((text) => gone || setFound({ of, text }), told)
    }
    return () => {
      gone = true
    }
  }, [lessonId, of])
  return found?.of === of ? found.text : null
}
