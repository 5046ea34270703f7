import { LESSON_LIMITS, type LessonNode, walkNodes } from '#lib/core/shared/lesson-doc.ts'
import type { BundleLesson } from '../bundle-schema.ts'
import { textNodes } from '../text-blocks.ts'
import { cleanTitle, createDoc, createLesson, isBlank, MAX_TITLE_LENGTH } from './package-reader.ts'

/** Leaves space for content that is added before or after a text. */
const MAX_CHARACTERS = LESSON_LIMITS.characters * 0.9
const MAX_NODES = LESSON_LIMITS.nodes * 0.9

/** Returns the blocks as one lesson, or as several with numbered titles when one lesson cannot contain them. */
export function splitIntoLessons(lesson: { title: string; id?: string; hidden?: boolean }, content: LessonNode[]) {
  const { title, hidden = false } = lesson
  const blocks = [...title.trim()].length > MAX_TITLE_LENGTH ? [heading(title), ...content] : content
  const parts: LessonNode[][] = [[]]
  let [characters, nodes] = [0, 0]
  for (const block of blocks) {
    const size = sizeOf(block)
    if (characters + size.characters > MAX_CHARACTERS || nodes + size.nodes > MAX_NODES) {
      parts.push([])
      ;[characters, nodes] = [0, 0]
    }
    parts.at(-1)?.push(block)
    characters += size.characters
    nodes += size.nodes
  }
  return parts.map((part, index): BundleLesson => {
    const partTitle =
      index === 0 ? title : `${[...cleanTitle(title)].slice(0, MAX_TITLE_LENGTH - 8).join('')} (${index + 1})`
    const ownId = index === 0 && lesson.id ? { id: lesson.id } : {}
    return { ...createLesson(partTitle, createDoc(part)), ...ownId, hidden }
  })
}

function sizeOf(block: LessonNode): { characters: number; nodes: number } {
  let [characters, nodes] = [0, 0]
  for (const node of walkNodes({ type: 'doc', content: [block] })) {
    nodes += 1
    characters += node.text?.length ?? 0
  }
  return { characters, nodes }
}

export const heading = (text: string, level = 2): LessonNode => ({
  type: 'heading',
  attrs: { level },
  content: textNodes(text.trim(), []),
})

/** The blocks of a lesson; empty when it consists of one empty paragraph. */
export const contentOfLesson = ({ blocks }: BundleLesson): LessonNode[] => (isBlank(blocks) ? [] : blocks.content)
