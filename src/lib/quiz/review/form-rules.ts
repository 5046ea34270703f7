import type { AttemptReviewDraft } from './schema.ts'

/** Names of the fields of a review form. */
export const scoreField = (questionId: string): string => `score.${questionId}`
export const commentField = (questionId: string): string => `comment.${questionId}`
export const OVERALL_FIELD = 'overall'

/**
 * Reads a review from a posted form or a form in the browser. A score that is not a number with at most two decimals is
 * returned in `invalid` and ignored.
 */
export function readReviewForm(
  form: FormData,
  questionIds: readonly string[],
): { draft: AttemptReviewDraft; invalid: string[] } {
  const text = (name: string) => {
    const value = form.get(name)
    // Forms use CR LF as line separator.
    return typeof value === 'string' ? value.replaceAll('\r\n', '\n') : ''
  }
  const invalid: string[] = []
  const marks = questionIds.map((questionId) => {
    const typed = text(scoreField(questionId)).trim()
    const score = parseScore(typed)
    if (typed !== '' && score === null) invalid.push(questionId)
    return [questionId, { score, comment: text(commentField(questionId)) }] as const
  })
  return { draft: { marks: Object.fromEntries(marks), comment: text(OVERALL_FIELD) }, invalid }
}

/** A score with a decimal point or comma; null for other text. */
export function parseScore(typed: string): number | null {
  const text = typed.replace(/\s/g, '').replace(',', '.')
  return /^\d{1,4}(?:\.\d{0,2})?$/.test(text) ? Number(text) : null
}
