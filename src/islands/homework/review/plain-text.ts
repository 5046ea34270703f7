import type { LessonDoc, LessonNode } from '#lib/core/shared/lesson-doc.ts'

/** The words of a document, a line a block. */
export function plainWords(doc: LessonDoc | null): string {
  return (doc?.content ?? []).map(wordsOf).join('\n')
}

function wordsOf(node: LessonNode): string {
  return node.text ?? (node.content ?? []).map(wordsOf).join('')
}
