import type { z } from 'zod'
import { LessonDoc, walkNodes } from '#lib/core/shared/lesson-doc.ts'

/** Blocks of lessons that are not supported in questions. */
const LESSON_ONLY = new Set(['task', 'test', 'columns', 'upload'])

const MAX_NODES = 2000
const MAX_CHARACTERS = 20_000

/**
 * The formatted text of a stem, an option or an explanation: a document of a lesson with images, audio, video, tables and
 * formulas (`inlineMath`, `blockMath`), without columns, tasks and tests.
 */
export const QuestionDoc: z.ZodType<LessonDoc> = LessonDoc.refine(isQuestionText, 'question_content')
export type QuestionDoc = LessonDoc

function isQuestionText(doc: LessonDoc): boolean {
  let nodes = 0
  let characters = 0
  for (const { type, text } of walkNodes(doc)) {
    nodes += 1
    characters += text?.length ?? 0
    if (LESSON_ONLY.has(type) || nodes > MAX_NODES || characters > MAX_CHARACTERS) return false
  }
  return true
}

/** A paragraph of plain text; an empty text is an empty document. */
export const plainRichText = (text: string): QuestionDoc => ({
  type: 'doc',
  content: text
    ? text
        .split('\n')
        .map((line) => ({ type: 'paragraph', ...(line ? { content: [{ type: 'text', text: line }] } : {}) }))
    : [{ type: 'paragraph' }],
})

/** The text of a document on one line, for lists, labels and searches. Formulas are included as TeX. */
export function plainTextOf(doc: QuestionDoc): string {
  const parts: string[] = []
  for (const { type, text, attrs } of walkNodes(doc)) {
    if (text) parts.push(text)
    else if (type === 'inlineMath' || type === 'blockMath') parts.push(String(attrs?.latex ?? ''))
    else if (type === 'image') parts.push(` ${String(attrs?.alt ?? '')} `)
    else if (type !== 'text') parts.push(' ')
  }
  return parts.join('').replace(/\s+/g, ' ').trim()
}
