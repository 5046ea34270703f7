import type { AnswerValue } from '#lib/quiz/question/schema.ts'
import type { ChosenAnswer } from './conflict-box.ts'

/** Of two essays, the one that contains the other, so that no text is lost. */
export function fullerText(mine: AnswerValue | null, theirs: AnswerValue | null): ChosenAnswer | null {
  if (mine?.type !== 'essay' || theirs?.type !== 'essay') return null
  if (containsText(theirs, mine)) return 'theirs'
  return containsText(mine, theirs) ? 'mine' : null
}

/** Whether keeping the other answer loses no text. Only essays are merged. */
export const containsText = (whole: AnswerValue | null, part: AnswerValue | null): boolean =>
  part?.type !== 'essay' || (whole?.type === 'essay' && whole.text.includes(part.text))

/** An essay followed by another one, unless it contains that already. */
export const joinTexts = (first: AnswerValue | null, next: AnswerValue | null): AnswerValue | null => {
  if (next?.type !== 'essay' || containsText(first, next)) return first
  return first?.type === 'essay' && !containsText(next, first)
    ? { type: 'essay', text: `${first.text}\n\n${next.text}` }
    : next
}
