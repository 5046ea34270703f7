import type { QuestionDoc } from '../../question/rich-text-schema.ts'

/** Whether a document is one paragraph of text without formatting, so that `plainTextOf` is lossless. */
export const isPlainText = ({ content: [first, second] }: QuestionDoc): boolean =>
  !second &&
  first?.type === 'paragraph' &&
  (first.content ?? []).every(({ type, marks }) => type === 'text' && !marks?.length)
