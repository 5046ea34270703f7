import { X } from 'lucide-react'
import { useCallback, useEffect, useState } from 'react'
import { api } from '#islands/stores/api.ts'
import { CallError } from '#islands/stores/call-error.ts'
import { showFailure, showSuccess } from '#islands/stores/notice.ts'
import { Button } from '#islands/ui/Button.tsx'
import { Select } from '#islands/ui/Select.tsx'
import { formatRelativeDateTime, type Locale } from '#lib/core/shared/locale.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import type { LessonPanel } from './LessonBar.tsx'
import { LessonCompare } from './LessonCompare.tsx'
import type { LessonText } from './lesson.ts'
import { type Revision, RevisionList } from './RevisionList.tsx'

type Versioned = LessonText & { version: number }

interface Props {
  lessonId: string
  /** The editor's text, and the server's version. */
  draft: LessonText
  version: number
  /** The server has saved this text. */
  saved: boolean
  panel: LessonPanel
  zone: string
  locale: Locale
  t: Translate
  onClose: () => void
  onRestore: (version: number) => Promise<unknown>
}

/** Revisions of the lesson and a comparison; `changes` compares the draft with the published text. */
export function LessonHistory(props: Props) {
  const { lessonId, draft, version, panel, locale, t, onClose } = props
  const { revisions, load: reload } = useRevisions(lessonId, version)
  const [chosen, setChosen] = useState<number | null>(null)
  const [comparedWith, setComparedWith] = useState('editor')
  const shownVersion = panel === 'changes' ? 'published' : chosen
  const text = useText(lessonId, shownVersion)
  const otherText = useText(lessonId, panel === 'changes' || comparedWith === 'editor' ? null : Number(comparedWith))
  const comparedText = panel === 'changes' || comparedWith === 'editor' ? draft : otherText
  const title = t(panel === 'changes' ? 'editor:revision.changesTitle' : 'editor:revision.title')

  const restore = async (earlier: number) => {
    await props.onRestore(earlier).then(() => showSuccess(t('editor:revision.restored')), showError)
    reload()
  }
  const name = async (namedVersion: number, note: string) => {
    await api.course.nameRevision({ lessonId, version: namedVersion, note }).then(reload, showError)
  }

  return (
    <section aria-label={title} className="card-line mb-4 p-4 sm:p-5">
      <div className="mb-3 flex items-start justify-between gap-3">
        <div>
          <h3 className="font-semibold">{title}</h3>
          <p className="text-muted text-sm">
            {t(panel === 'changes' ? 'editor:revision.changesHint' : 'editor:revision.hint')}
          </p>
        </div>
        <Button
          small
          tone="quiet"
          className="btn-square"
          aria-label={t('editor:revision.close')}
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
            t={t}
            zone={props.zone}
            saved={props.saved}
            onChoose={setChosen}
            onName={name}
            onRestore={restore}
          />
        )}
        <section className="min-w-0" aria-label={t('editor:revision.difference')}>
          {shownVersion === null && <p className="text-muted text-sm">{t('editor:revision.choose')}</p>}
          {panel === 'history' && shownVersion !== null && (
            <Select
              label={t('editor:revision.beside')}
              className="mb-4 max-w-md"
              value={comparedWith}
              onChange={({ target }) => setComparedWith(target.value)}
              options={compareOptions(revisions ?? [], props)}
            />
          )}
          {shownVersion !== null && !(text && comparedText) && <div className="skeleton-line h-24" />}
          {text && comparedText && <LessonCompare {...olderFirst(text, comparedText)} locale={locale} t={t} />}
        </section>
      </div>
    </section>
  )
}

/** Texts that the selected version can be compared with. */
function compareOptions(revisions: Revision[], { zone, locale, t }: Props) {
  const earlier = revisions.map(({ version, at, note }) => ({
    value: String(version),
    label: [formatRelativeDateTime(at, zone, locale), note].filter(Boolean).join(' · '),
  }))
  return [{ value: 'editor', label: t('editor:revision.editor') }, ...earlier]
}

// The older text comes first, so that additions are the newer text.
function olderFirst(text: Versioned, compared: Partial<Versioned> & LessonText) {
  const later = compared.version !== undefined && compared.version < text.version
  return later ? { before: compared, after: text } : { before: text, after: compared }
}

const showError = (error: unknown) => showFailure(CallError.from(error).message)

function useRevisions(lessonId: string, version: number) {
  const [revisions, setRevisions] = useState<Revision[] | null>(null)
  const loadRevisions = useCallback(
    () => void api.course.listRevisions({ lessonId }, { context: { isQuiet: true } }).then(setRevisions, showError),
    [lessonId],
  )
  useEffect(() => {
    if (version > 0) loadRevisions()
  }, [loadRevisions, version])
  return { revisions, load: loadRevisions }
}

function useText(lessonId: string, version: number | 'published' | null): Versioned | null {
  const [loaded, setLoaded] = useState<{ version: number | 'published'; text: Versioned } | null>(null)
  useEffect(() => {
    let isCanceled = false
    if (version !== null) {
      void api.course
        .getLessonText({ lessonId, revision: version }, { context: { isQuiet: true } })
        .then((text) => isCanceled || setLoaded({ version: version, text }), showError)
    }
    return () => {
      isCanceled = true
    }
  }, [lessonId, version])
  return loaded?.version === version ? loaded.text : null
}
