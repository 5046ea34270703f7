import { lazy } from 'react'
import { formatRelativeDateTime } from '#lib/core/shared/locale.ts'
import { ClientOnly } from './ClientOnly.tsx'
import { RenderedText } from './RenderedText.tsx'
import type { ReviewedSubmission, ReviewI18n, SubmissionAttempt } from './reviewed-submission.ts'

const SubmissionPlayer = lazy(() => import('./SubmissionPlayer.tsx'))

/** The student's other attempts with their verdicts, and the history of this submission. */
export function ReviewHistory({ submission, i18n }: { submission: ReviewedSubmission; i18n: ReviewI18n }) {
  const { t, locale, timeZone } = i18n
  const others = submission.attempts.filter(({ id }) => id !== submission.id)
  return (
    <section className="grid gap-4" aria-labelledby={others.length > 0 ? 'review-history' : 'review-events'}>
      {others.length > 0 && (
        <>
          <h2 id="review-history" className="font-semibold text-lg">
            {t('homework:review.attempts')}
          </h2>
          <ol className="grid gap-3">
            {others.map((attempt) => (
              <li key={attempt.id}>
                <EarlierAttempt attempt={attempt} i18n={i18n} />
              </li>
            ))}
          </ol>
        </>
      )}
      <details className="review-task">
        <summary id="review-events">{t('homework:review.events')}</summary>
        <ul className="grid gap-1 text-sm">
          {submission.events.map(({ event, at, by }) => (
            <li key={`${event} ${at}`} className="flex flex-wrap justify-between gap-x-4">
              <span>{t(`homework:event.${event}`, { name: by })}</span>
              <span className="text-muted">{formatRelativeDateTime(at, timeZone, locale)}</span>
            </li>
          ))}
          {submission.events.length === 0 && <li className="text-muted">{t('homework:review.noEvents')}</li>}
        </ul>
      </details>
    </section>
  )
}

function EarlierAttempt({ attempt, i18n }: { attempt: SubmissionAttempt; i18n: ReviewI18n }) {
  const { t, locale, timeZone } = i18n
  return (
    <details className="review-task">
      <summary>
        {t('homework:review.attempt', { number: attempt.attempt })}
        {' · '}
        {t(`homework:state.${attempt.state}`)}
        {attempt.reviewedAt && ` · ${formatRelativeDateTime(attempt.reviewedAt, timeZone, locale)}`}
      </summary>
      <div className="grid gap-3">
        {attempt.text && <p className="review-text">{attempt.text}</p>}
        {attempt.files.length > 0 && (
          <ul className="grid gap-1 text-sm">
            {attempt.files.map((file) => (
              <li key={file.id}>
                <a href={file.address} target="_blank" rel="noopener" className="still-link">
                  {file.name}
                </a>
              </li>
            ))}
          </ul>
        )}
        {attempt.feedback && (
          <div className="review-feedback">
            <p className="text-muted text-sm">{t('homework:review.feedbackOf', { name: attempt.by ?? '' })}</p>
            <RenderedText html={attempt.feedback} />
          </div>
        )}
        {attempt.annotations.map((mark, index) => (
          <p key={mark.id} className="text-sm">
            {t('homework:mark.number', { number: index + 1 })}: {mark.text}
          </p>
        ))}
        {attempt.voiceFileId && (
          <ClientOnly>
            <SubmissionPlayer submissionId={attempt.id} fileId={attempt.voiceFileId} i18n={i18n} />
          </ClientOnly>
        )}
      </div>
    </details>
  )
}
