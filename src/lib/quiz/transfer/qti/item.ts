import type { Markup, MarkupElement } from '#lib/course/transfer/markup.ts'
import type { QuestionDoc } from '../../question/rich-text-schema.ts'
import { type NoteChange, SkippedQuestion } from '../question-reader.ts'
import type { TextReader } from '../text/read-text.ts'
import type { ItemScoring } from './response.ts'

/** The identifier of feedback on all answers. */
export const EXPLANATION = 'explanation'

/** The parts of an item that the readers of interactions need. */
export interface QtiItem {
  item: MarkupElement
  body: MarkupElement
  scoring: ItemScoring
  texts: TextReader
  note: NoteChange
  /** Feedback by its identifier. */
  feedback: ReadonlyMap<string, QuestionDoc>
  /** The body with a replacement for each interaction. */
  stemWith(replace: (interaction: MarkupElement) => Markup[]): QuestionDoc
}

/** Notes feedback that is not related to a part of the question. */
export function noteUnusedFeedback({ feedback, note }: QtiItem, ids: readonly string[]): void {
  const used = new Set([...ids, EXPLANATION])
  if ([...feedback.keys()].some((id) => !used.has(id))) note('feedback_lost')
}

/** The response declaration of an interaction. Throws SkippedQuestion without one. */
export function responseOf({ scoring }: QtiItem, interaction: MarkupElement) {
  const response = scoring.responses.get(interaction.attributes.responseIdentifier ?? '')
  if (!response) throw new SkippedQuestion('no_answers')
  return response
}
