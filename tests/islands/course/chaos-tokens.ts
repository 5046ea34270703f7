import type { LessonText } from '#islands/course/lesson/lesson.ts'
import type { LessonNode } from '#lib/core/shared/lesson-doc.ts'

/** Typed text: each token is unique in a run, so that it can be found. */
const TOKEN = /⟨[a-z]\d+⟩/g

export function tokensOf(text: LessonText): Set<string> {
  return new Set(JSON.stringify([text.title, text.blocks]).match(TOKEN) ?? [])
}

/** The text with an additional token: at the end of a block, in a new block, or in the title. */
export function typed(text: LessonText, token: string, place: number): LessonText {
  const { title, blocks } = text
  const { content } = blocks
  if (place % 11 === 0 && title.length < 120) return { title: `${title} ${token}`, blocks }
  const at = place % content.length
  const next = [...content]
  if (place % 5 === 0) next.splice(at + 1, 0, paragraph(token))
  else next[at] = paragraph(`${wordsOf(content[at])} ${token}`)
  return { title, blocks: { type: 'doc', content: next } }
}

export const paragraph = (text: string): LessonNode => ({ type: 'paragraph', content: [{ type: 'text', text }] })

const wordsOf = (node: LessonNode | undefined): string => node?.content?.map(({ text }) => text).join('') ?? ''
