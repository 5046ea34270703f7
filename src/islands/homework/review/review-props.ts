import type { ReviewI18n, ReviewProps } from './reviewed-submission.ts'

export interface SubmissionReviewProps extends ReviewProps {
  i18n: ReviewI18n
  onShow: (id: string | null) => Promise<void> | void
}
