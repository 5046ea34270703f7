import type { LessonDoc, LessonNode } from '#lib/core/shared/lesson-doc.ts'

/** The text of a document, a line for each block. */
export function toPlainText(doc: LessonDoc | null): string {
  return (doc?.content ?? []).map(nodeText).join('\n')
}

function nodeText(node: LessonNode): string {
  return node.text ?? (node.content ?? []).map(nodeText).join('')
}
