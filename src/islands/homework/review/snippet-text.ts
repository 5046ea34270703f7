import type { LessonDoc, LessonNode } from '#lib/core/shared/lesson-doc.ts'

const SNIPPET_VARIABLES = ['name', 'lesson', 'course', 'task', 'attempt'] as const
type Values = Record<(typeof SNIPPET_VARIABLES)[number], string>

/** Fills the variables of a snippet; other braces stay. */
export function fillVariables(body: string, values: Values): string {
  return body.replace(/\{(\w+)\}/g, (placeholder, name: string) =>
    Object.hasOwn(values, name) ? values[name as keyof Values] : placeholder,
  )
}

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
