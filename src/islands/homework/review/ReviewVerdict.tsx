import { lazy, useState } from 'react'
import { api } from '#islands/stores/api.ts'
import { CallError } from '#islands/stores/call-error.ts'
import { showFailure } from '#islands/stores/notice.ts'
import { Button } from '#islands/ui/Button.tsx'
import { formatRelativeDateTime } from '#lib/core/shared/locale.ts'
import { ClientOnly } from './ClientOnly.tsx'
import { RenderedText } from './RenderedText.tsx'
import { currentAttempt, type ReviewedSubmission, type ReviewI18n } from './reviewed-submission.ts'
import type { ReviewLock } from './use-review-lock.ts'

const SubmissionPlayer = lazy(() => import('./SubmissionPlayer.tsx'))

interface Props {
  submission: ReviewedSubmission
  i18n: ReviewI18n
  lock: ReviewLock
  canWrite: boolean
}

/** The verdict, and how to reopen the review. */
export function ReviewVerdict({ submission, i18n, lock, canWrite }: Props) {
  const { t, locale, timeZone } = i18n
  const [busy, setBusy] = useState(false)
  const attempt = currentAttempt(submission)
  if (!attempt) return null
  const reopen = async () => {
    setBusy(true)
    try {
      await api.homework.reopen({ submissionId: submission.id })
      await lock.reload()
      await lock.open()
    } catch (error) {
      const failure = CallError.from(error)
      if (!failure.unexpected) showFailure(failure.fields.form?.[0] ?? failure.message)
    }
    setBusy(false)
  }
  return (
    <div className="grid gap-4">
      <h2 className="font-semibold text-lg">{t(`homework:state.${attempt.state}`)}</h2>
      {attempt.reviewedAt && (
        <p className="text-muted text-sm">
          {t('homework:review.reviewedBy', {
            name: attempt.by ?? '',
            at: formatRelativeDateTime(attempt.reviewedAt, timeZone, locale),
          })}
        </p>
      )}
      {attempt.score !== null && (
        <p className="tabular">
          {t('homework:review.points', { score: attempt.score, max: submission.task.maxPoints ?? attempt.score })}
        </p>
      )}
      {attempt.feedback && <RenderedText html={attempt.feedback} />}
      {attempt.voiceFileId && (
        <ClientOnly>
          <SubmissionPlayer submissionId={submission.id} fileId={attempt.voiceFileId} i18n={i18n} />
        </ClientOnly>
      )}
      {canWrite && (
        <Button busy={busy} onClick={() => void reopen()} className="justify-self-start">
          {t('homework:review.reopen')}
        </Button>
      )}
    </div>
  )
}
