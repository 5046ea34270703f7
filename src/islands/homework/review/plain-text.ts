import type { LessonDoc, LessonNode } from '#lib/core/shared/lesson-doc.ts'

/** The words of a document, a line a block. */
export function toPlainText(doc: LessonDoc | null): string {
  return (doc?.content ?? []).map(nodeText).join('\n')
}

function nodeText(node: LessonNode): string {
  return node.text ?? (node.content ?? []).map(nodeText).join('')
}
