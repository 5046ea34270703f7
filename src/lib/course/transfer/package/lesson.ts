import { everyNode, LESSON_LIMITS, type LessonNode } from '#lib/core/shared/lesson-doc.ts'
import type { BundleLesson } from '../bundle-schema.ts'
import { words } from '../text-blocks.ts'
import { docOf, isBlank, LONGEST_TITLE, lessonOf, titleOf } from './reading.ts'

/** Room that is left for what is written before or behind a text. */
const MOST_CHARACTERS = LESSON_LIMITS.characters * 0.9
const MOST_NODES = LESSON_LIMITS.nodes * 0.9

/** Blocks as one lesson, or as several with a number behind their title where one cannot hold them. */
export function lessonsOf(lesson: { title: string; id?: string; hidden?: boolean }, content: LessonNode[]) {
  const { title, hidden = false } = lesson
  const whole = [...title.trim()].length > LONGEST_TITLE ? [heading(title), ...content] : content
  const parts: LessonNode[][] = [[]]
  let [characters, nodes] = [0, 0]
  for (const block of whole) {
    const weight = weightOf(block)
    if (characters + weight.characters > MOST_CHARACTERS || nodes + weight.nodes > MOST_NODES) {
      parts.push([])
      ;[characters, nodes] = [0, 0]
    }
    parts.at(-1)?.push(block)
    characters += weight.characters
    nodes += weight.nodes
  }
  return parts.map((part, index): BundleLesson => {
    const named = index === 0 ? title : `${[...titleOf(title)].slice(0, LONGEST_TITLE - 8).join('')} (${index + 1})`
    const own = index === 0 && lesson.id ? { id: lesson.id } : {}
    return { ...lessonOf(named, docOf(part)), ...own, hidden }
  })
}

function weightOf(block: LessonNode): { characters: number; nodes: number } {
  let [characters, nodes] = [0, 0]
  for (const node of everyNode({ type: 'doc', content: [block] })) {
    nodes += 1
    characters += node.text?.length ?? 0
  }
  return { characters, nodes }
}

export const heading = (text: string, level = 2): LessonNode => ({
  type: 'heading',
  attrs: { level },
  content: words(text.trim(), []),
})

/** The blocks of a lesson; none where it has but an empty paragraph. */
export const contentOf = ({ blocks }: BundleLesson): LessonNode[] => (isBlank(blocks) ? [] : blocks.content)
