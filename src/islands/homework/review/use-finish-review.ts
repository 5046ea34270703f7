import { type RefObject, useEffect, useRef } from 'react'
import { api } from '#islands/stores/api.ts'
import { CallError } from '#islands/stores/call-error.ts'
import type { DraftState } from '#islands/stores/draft/draft-settings.ts'
import { showFailure, showNotice, UNDO_NOTICE_MS } from '#islands/stores/notice.ts'
import { refreshPage } from '#islands/stores/page.ts'
import type { VerdictAction } from '#lib/homework/review/schema.ts'
import type { QueueStep, ReviewedSubmission, ReviewI18n } from './reviewed-submission.ts'

interface FinishReviewOptions {
  submission: ReviewedSubmission
  i18n: ReviewI18n
  /** Save state of the draft. */
  kind: DraftState<unknown>['kind']
  version: RefObject<number>
  onShow: (step: QueueStep | null) => Promise<void> | void
}

/** Finishes the review as soon as the draft is saved; reports the reason when it is not. */
export function useFinishReview(
  parts: FinishReviewOptions,
  ending: VerdictAction | null,
  onFail: (message: string) => void,
): void {
  const latest = useRef({ ...parts, onFail })
  latest.current = { ...parts, onFail }
  const { kind } = parts
  useEffect(() => {
    if (!ending || kind === 'saving') return
    const { submission, i18n, version, onShow, onFail: failed } = latest.current
    const { t } = i18n
    if (kind !== 'saved') return failed(t('homework:review.notSaved'))
    void api.homework.review({ submissionId: submission.id, verdict: ending, version: version.current }).then(
      () => {
        showNotice('success', t(`homework:review.done.${ending}`, { name: submission.student.name }), {
          action: { label: t('shell:button.undo'), run: () => void recallVerdict(submission.id) },
          durationMs: UNDO_NOTICE_MS,
        })
        void onShow(submission.next)
      },
      (error: unknown) => {
        const failure = CallError.from(error)
        failed(failure.fields.form?.[0] ?? failure.message)
      },
    )
  }, [ending, kind])
}

async function recallVerdict(submissionId: string): Promise<void> {
  try {
    await api.homework.recallVerdicts({ submissionIds: [submissionId] })
    refreshPage()
  } catch (error) {
    const failure = CallError.from(error)
    if (!failure.unexpected) showFailure(failure.fields.form?.[0] ?? failure.message)
  }
}
