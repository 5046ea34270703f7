import { api } from '#islands/stores/api.ts'
import { CallError } from '#islands/stores/call-error.ts'
import type { DraftOptions } from '#islands/stores/draft/draft.ts'
import { saveOutcomeOf } from '#islands/stores/draft/draft-outcome.ts'
import type { SaveOutcome } from '#islands/stores/draft/draft-settings.ts'
import { ReviewDraft } from '#lib/homework/review/schema.ts'
import type { ReviewedSubmission } from './reviewed-submission.ts'

const reviewDraftKey = (submissionId: string): string => `homework/review/${submissionId}`

/** Draft options of a review. `saved` receives the version on the server. */
export function createReviewDraft(
  submission: ReviewedSubmission,
  owner: string,
  title: string,
  saved: (version: number) => void,
) {
  const { version, ...value } = submission.draft
  return {
    owner,
    key: reviewDraftKey(submission.id),
    title,
    value: canonical(value),
    version,
    save: async (draft, base, leaving): Promise<SaveOutcome<ReviewDraft>> => {
      try {
        const input = { submissionId: submission.id, version: base, ...draft }
        const answer = await api.homework.saveReview(input, { context: { isQuiet: true, isLeaving: leaving } })
        saved(answer.version)
        return { kind: 'saved', version: answer.version }
      } catch (error) {
        const failure = CallError.from(error)
        const isTakenOver = failure.status === 409 && failure.data.draft === undefined
        // The lock notice names the holder; the text stays on this device.
        if (isTakenOver) return { kind: 'refused', message: failure.fields.form?.[0] ?? failure.message }
        return saveOutcomeOf(error, newerDraft)
      }
    },
  } satisfies DraftOptions<ReviewDraft>
}

/** Parses a draft into a canonical key order. */
function canonical(value: unknown): ReviewDraft {
  const parsed = ReviewDraft.safeParse(value)
  return parsed.success ? parsed.data : EMPTY_DRAFT
}

const EMPTY_DRAFT: ReviewDraft = { feedback: null, score: null, rubricMarks: [], annotations: [], voiceFileId: null }

function newerDraft(data: Record<string, unknown>): ReviewDraft | undefined {
  const parsed = ReviewDraft.safeParse(data.draft)
  return parsed.success ? parsed.data : undefined
}
