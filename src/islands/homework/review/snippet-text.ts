import type { LessonDoc, LessonNode } from '#lib/core/shared/lesson-doc.ts'

/** Appends lines to a document, each as a paragraph; an empty last paragraph is replaced. */
export function appendText(doc: LessonDoc | null, text: string): LessonDoc {
  const paragraphs = text
    .split('\n')
    .map(
      (paragraphText): LessonNode =>
        paragraphText === ''
          ? { type: 'paragraph' }
          : { type: 'paragraph', content: [{ type: 'text', text: paragraphText }] },
    )
  const before = doc?.content ?? []
  const last = before.at(-1)
  const blocksBefore = last?.type === 'paragraph' && !last.content?.length ? before.slice(0, -1) : before
  return { type: 'doc', content: [...blocksBefore, ...paragraphs] }
}
