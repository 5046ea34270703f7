import { api } from '#islands/stores/api.ts'
import type { DraftOptions } from '#islands/stores/draft/draft.ts'
import { saveOutcomeOf } from '#islands/stores/draft/draft-outcome.ts'
import type { ConflictResolution, MergeTexts } from '#islands/stores/draft/draft-settings.ts'
import { mergeChanges, stableJson } from '#lib/core/shared/merge.ts'
import { compactDraft } from '#lib/quiz/review/rules.ts'
import { AttemptReviewDraft } from '#lib/quiz/review/schema.ts'

/** The review as the page was rendered. */
export interface RenderedReview {
  attemptId: string
  questionIds: string[]
  draft: AttemptReviewDraft
  revision: number
}

/**
 * The draft of a review: marks of different answers by two reviewers are merged, changes of the same mark are a
 * conflict.
 */
export function reviewDraftOptions(
  { attemptId, questionIds, draft, revision }: RenderedReview,
  owner: string,
  title: string,
): DraftOptions<AttemptReviewDraft> {
  return {
    owner,
    key: `quiz/review/${attemptId}`,
    title,
    value: completeDraft(draft, questionIds),
    version: revision,
    isSame: (a, b) => stableJson(compactDraft(a, questionIds)) === stableJson(compactDraft(b, questionIds)),
    merge: mergeReviews,
    save: async (value, base, isLeaving) => {
      try {
        const input = { attemptId, revision: base, draft: compactDraft(value, questionIds) }
        const saved = await api.quiz.saveReview(input, { context: { isQuiet: true, isLeaving } })
        return { kind: 'saved', version: saved.revision }
      } catch (error) {
        return saveOutcomeOf<AttemptReviewDraft>(error, (data) => {
          const newer = AttemptReviewDraft.safeParse(data.draft)
          return newer.success ? completeDraft(newer.data, questionIds) : undefined
        })
      }
    },
  }
}

/** A draft with a mark for each question, so that two drafts have the same fields. */
function completeDraft(draft: AttemptReviewDraft, questionIds: readonly string[]): AttemptReviewDraft {
  const marks = questionIds.map((questionId) => [questionId, draft.marks[questionId] ?? { score: null, comment: '' }])
  return { marks: Object.fromEntries(marks), comment: draft.comment }
}

/** Merges two changes of a review. Null when both changed the same field and no choice is given. */
function mergeReviews(
  { base, mine, theirs }: MergeTexts<AttemptReviewDraft>,
  choice?: ConflictResolution,
): AttemptReviewDraft | null {
  const { merged, conflicts } = mergeChanges(theirs, base, mine)
  if (conflicts.length > 0 && choice === undefined) return null
  return choice === 'theirs' ? mergeChanges(mine, base, theirs).merged : merged
}

/** The marks and comments of a review, one per line, for comparing two of them. */
export function textOfReview(draft: AttemptReviewDraft, questionIds: readonly string[]): string {
  const lines = questionIds.flatMap((questionId, index) => {
    const { score = null, comment = '' } = draft.marks[questionId] ?? {}
    return score === null && comment === '' ? [] : [`${index + 1}. ${score ?? '—'} ${comment}`.trim()]
  })
  return [...lines, draft.comment].filter((line) => line !== '').join('\n')
}
