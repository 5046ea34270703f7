import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useDraft } from '#islands/stores/draft/draft.ts'
import { formatRelativeDateTime } from '#lib/core/shared/locale.ts'
import { deadlineClock } from '#lib/homework/review/rules.ts'
import { clockWords } from '../queue/queue-clock.ts'
import { Thread } from '../Thread.tsx'
import { DeskHold } from './LockNotice.tsx'
import { DeskAnswer } from './ReviewAnswer.tsx'
import { DeskHistory } from './ReviewHistory.tsx'
import { DeskPanel } from './ReviewPanel.tsx'
import { DeskVerdict } from './ReviewVerdict.tsx'
import { reviewDraft } from './review-draft.ts'
import type { SheetProps } from './review-props.ts'
import { marksOf, onDesk, type Work } from './reviewed-submission.ts'
import { useDeskKeys } from './use-review-keys.ts'
import { useDesk } from './use-review-lock.ts'

/** One work on the desk. */
export function DeskSheet(props: SheetProps) {
  const { words, onShow } = props
  const { t, locale } = words
  const desk = useDesk(props.work, props)
  const { shown, hold } = desk
  const heading = useRef<HTMLHeadingElement>(null)
  const root = useRef<HTMLDivElement>(null)
  useEffect(() => heading.current?.focus({ preventScroll: true }), [])
  useDeskKeys(root, {
    next: () => void onShow(shown.next),
    previous: () => shown.previous && void onShow(shown.previous),
  })
  const attempt = onDesk(shown)
  const clock =
    hold === 'judged' ? null : deadlineClock({ submittedAt: attempt?.submittedAt ?? null, answerBy: shown.answerBy })
  return (
    <div ref={root} className="desk" data-desk>
      <header className="desk-head">
        <div className="min-w-0">
          <h1 ref={heading} tabIndex={-1} className="font-semibold text-2xl outline-none">
            {shown.student.name}
          </h1>
          <p className="text-muted">
            {shown.task.title} ·{' '}
            <a className="still-link" href={`/homework?course=${shown.course.id}`}>
              {shown.course.title}
            </a>
            {' · '}
            {shown.lesson.title}
          </p>
          <p className="desk-facts">
            {attempt?.submittedAt && (
              <span>
                {t('homework:desk.handedIn', { at: formatRelativeDateTime(attempt.submittedAt, words.zone, locale) })}
              </span>
            )}
            {attempt && attempt.attempt > 1 && (
              <span className="badge badge-sm">{t('homework:desk.attempt', { number: attempt.attempt })}</span>
            )}
            {attempt?.late && (
              <span className="badge badge-sm badge-warning badge-soft">{t('homework:desk.late')}</span>
            )}
            {clock && clock.tone !== 'none' && (
              <span className="desk-clock" data-tone={clock.tone}>
                {clockWords(t, clock, locale)}
              </span>
            )}
            {shown.groups.map((group) => (
              <span key={group} className="badge badge-sm badge-ghost">
                {group}
              </span>
            ))}
          </p>
        </div>
        <nav aria-label={t('homework:desk.queue')} className="flex flex-none gap-1">
          <Step label={t('homework:desk.previous')} keys="K" on={shown.previous} onShow={onShow} icon={ChevronLeft} />
          <Step label={t('homework:desk.next')} keys="J" on={shown.next} onShow={onShow} icon={ChevronRight} />
        </nav>
      </header>
      <DeskHold desk={desk} words={words} />
      <Body
        {...props}
        work={shown}
        key={shown.draft.version === props.work.draft.version ? 'first' : shown.draft.version}
        desk={desk}
      />
    </div>
  )
}

function Body(props: SheetProps & { desk: ReturnType<typeof useDesk> }) {
  const { work, me, words, desk } = props
  const version = useRef(work.draft.version)
  const [options] = useState(() =>
    reviewDraft(work, me, `${work.student.name}: ${work.task.title}`, (saved) => {
      version.current = saved
    }),
  )
  const draft = useDraft(options)
  const editable = desk.hold === 'mine'
  const judged = desk.hold === 'judged'
  const change = (part: Partial<typeof draft.value>) => draft.type({ ...draft.value, ...part })
  return (
    <div className="desk-grid">
      <div className="grid min-w-0 content-start gap-6">
        <DeskAnswer
          work={work}
          words={words}
          annotations={judged ? marksOf(onDesk(work)) : draft.value.annotations}
          onAnnotate={editable ? (annotations) => change({ annotations }) : null}
        />
        <section className="grid gap-3" aria-labelledby="desk-talk">
          <h2 id="desk-talk" className="font-semibold text-lg">
            {words.t('homework:desk.talk')}
          </h2>
          <Thread
            taskId={work.task.id}
            studentId={work.student.id}
            owner={me}
            timeZone={words.zone}
            locale={words.locale}
            t={words.t}
          />
        </section>
        <DeskHistory work={work} words={words} />
      </div>
      <aside className="desk-panel" aria-label={words.t('homework:desk.panel')}>
        {judged ? (
          <DeskVerdict work={work} words={words} desk={desk} writes={props.writes} />
        ) : (
          <DeskPanel {...props} draft={draft} change={change} editable={editable} version={version} />
        )}
      </aside>
    </div>
  )
}

interface StepProps {
  label: string
  keys: string
  on: string | null
  onShow: SheetProps['onShow']
  icon: typeof ChevronLeft
}

function Step({ label, keys, on, onShow, icon: Icon }: StepProps) {
  return (
    <button
      type="button"
      className="btn btn-sm"
      disabled={!on}
      aria-label={label}
      aria-keyshortcuts={keys}
      title={`${label} (${keys})`}
      onClick={() => void onShow(on)}
    >
      <Icon size={18} strokeWidth={1.75} aria-hidden="true" />
      <span className="max-sm:hidden">{label}</span>
    </button>
  )
}

export type { Work }
