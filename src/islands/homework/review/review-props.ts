import type { QueueStep, ReviewI18n, ReviewProps } from './reviewed-submission.ts'

export interface SubmissionReviewProps extends ReviewProps {
  i18n: ReviewI18n
  onShow: (step: QueueStep | null) => Promise<void> | void
}
