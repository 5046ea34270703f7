import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useDraft } from '#islands/stores/draft/draft.ts'
import { useReviewKeys } from '#islands/ui/use-review-keys.ts'
import { formatRelativeDateTime } from '#lib/core/shared/locale.ts'
import { deadlineClock } from '#lib/homework/review/rules.ts'
import { formatDeadline } from '../queue/queue-clock.ts'
import { Thread } from '../Thread.tsx'
import { LockNotice } from './LockNotice.tsx'
import { ReviewAnswer } from './ReviewAnswer.tsx'
import { ReviewHistory } from './ReviewHistory.tsx'
import { ReviewPanel } from './ReviewPanel.tsx'
import { ReviewVerdict } from './ReviewVerdict.tsx'
import { createReviewDraft } from './review-draft.ts'
import type { SubmissionReviewProps } from './review-props.ts'
import { annotationsOf, currentAttempt, type QueueStep } from './reviewed-submission.ts'
import { useReviewLock } from './use-review-lock.ts'

/** The review of one submission. */
export function SubmissionReview(props: SubmissionReviewProps) {
  const { i18n, onShow } = props
  const { t, locale } = i18n
  const lock = useReviewLock(props.submission, props)
  const { shown, hold } = lock
  const heading = useRef<HTMLHeadingElement>(null)
  const root = useRef<HTMLDivElement>(null)
  useEffect(() => heading.current?.focus({ preventScroll: true }), [])
  useReviewKeys(root, {
    next: () => void onShow(shown.next),
    previous: () => shown.previous && void onShow(shown.previous),
  })
  const attempt = currentAttempt(shown)
  const clock =
    hold === 'reviewed' ? null : deadlineClock({ submittedAt: attempt?.submittedAt ?? null, answerBy: shown.answerBy })
  return (
    <div ref={root} data-review>
      <header className="review-head">
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
          <p className="review-facts">
            {attempt?.submittedAt && (
              <span>
                {t('homework:review.submittedAt', {
                  at: formatRelativeDateTime(attempt.submittedAt, i18n.timeZone, locale),
                })}
              </span>
            )}
            {attempt && attempt.attempt > 1 && (
              <span className="badge badge-sm">{t('homework:review.attempt', { number: attempt.attempt })}</span>
            )}
            {attempt?.late && (
              <span className="badge badge-sm badge-warning badge-soft">{t('homework:review.late')}</span>
            )}
            {clock && clock.tone !== 'none' && (
              <span className="review-clock" data-tone={clock.tone}>
                {formatDeadline(t, clock, locale)}
              </span>
            )}
            {shown.groups.map((group) => (
              <span key={group} className="badge badge-sm badge-ghost">
                {group}
              </span>
            ))}
          </p>
        </div>
        <nav aria-label={t('homework:review.queue')} className="flex flex-none gap-1">
          <StepButton
            label={t('homework:review.previous')}
            keys="K"
            on={shown.previous}
            onShow={onShow}
            icon={ChevronLeft}
          />
          <StepButton label={t('homework:review.next')} keys="J" on={shown.next} onShow={onShow} icon={ChevronRight} />
        </nav>
      </header>
      <LockNotice lock={lock} i18n={i18n} />
      <ReviewBody
        {...props}
        submission={shown}
        key={shown.draft.version === props.submission.draft.version ? 'first' : shown.draft.version}
        lock={lock}
      />
    </div>
  )
}

function ReviewBody(props: SubmissionReviewProps & { lock: ReturnType<typeof useReviewLock> }) {
  const { submission, memberId, i18n, lock } = props
  const version = useRef(submission.draft.version)
  const [options] = useState(() =>
    createReviewDraft(submission, memberId, `${submission.student.name}: ${submission.task.title}`, (saved) => {
      version.current = saved
    }),
  )
  const draft = useDraft(options)
  const editable = lock.hold === 'mine'
  const reviewed = lock.hold === 'reviewed'
  const change = (part: Partial<typeof draft.value>) => draft.type({ ...draft.value, ...part })
  return (
    <div className="review-grid">
      <div className="grid min-w-0 content-start gap-6">
        <ReviewAnswer
          submission={submission}
          i18n={i18n}
          annotations={reviewed ? annotationsOf(currentAttempt(submission)) : draft.value.annotations}
          onAnnotate={editable ? (annotations) => change({ annotations }) : null}
        />
        <section className="grid gap-3" aria-labelledby="review-conversation">
          <h2 id="review-conversation" className="font-semibold text-lg">
            {i18n.t('homework:review.conversation')}
          </h2>
          <Thread
            taskId={submission.task.id}
            studentId={submission.student.id}
            owner={memberId}
            timeZone={i18n.timeZone}
            locale={i18n.locale}
            t={i18n.t}
          />
        </section>
        <ReviewHistory submission={submission} i18n={i18n} />
      </div>
      <aside className="review-panel" aria-label={i18n.t('homework:review.panel')}>
        {reviewed ? (
          <ReviewVerdict submission={submission} i18n={i18n} lock={lock} canWrite={props.canWrite} />
        ) : (
          <ReviewPanel {...props} draft={draft} change={change} editable={editable} version={version} />
        )}
      </aside>
    </div>
  )
}

interface StepProps {
  label: string
  keys: string
  on: QueueStep | null
  onShow: SubmissionReviewProps['onShow']
  icon: typeof ChevronLeft
}

function StepButton({ label, keys, on, onShow, icon: Icon }: StepProps) {
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
