import { countWords, everyNode, LESSON_LIMITS, type LessonNode } from '#lib/core/shared/lesson-doc.ts'
import type { LessonChange } from './schema.ts'

/** What counts against LESSON_LIMITS, and the words to read. */
export interface LessonWeight {
  nodes: number
  characters: number
  words: number
}

/** What these blocks weigh, the document around them not counted. */
export function weigh(content: LessonNode[]): LessonWeight {
  const weight = { nodes: 0, characters: 0, words: countWords({ type: 'doc', content }) }
  for (const { text } of everyNode({ type: 'doc', content })) {
    weight.nodes += 1
    weight.characters += text?.length ?? 0
  }
  return weight
}

/** What a text weighs when some blocks have gone and others have come. */
export function reweigh(before: LessonWeight, gone: LessonNode[], come: LessonNode[]): LessonWeight {
  const [less, more] = [weigh(gone), weigh(come)]
  return {
    nodes: before.nodes - less.nodes + more.nodes,
    characters: before.characters - less.characters + more.characters,
    words: before.words - less.words + more.words,
  }
}

/** Whether a text of this weight may be kept; the document itself is a node too. */
export function isTooHeavy({ nodes, characters }: LessonWeight): boolean {
  return nodes + 1 > LESSON_LIMITS.nodes || characters > LESSON_LIMITS.characters
}

/** The blocks after a change. */
export function applyChange(content: readonly LessonNode[], { at, remove, insert }: LessonChange): LessonNode[] {
  return [...content.slice(0, at), ...insert, ...content.slice(at + remove)]
}

/**
 * The one change that makes `after` of `before`: all between the first block that differs and the last one. Null when
 * nothing differs. Blocks that are the same object are not looked into, so a keystroke in a long text costs little.
 */
export function changeBetween(before: readonly LessonNode[], after: readonly LessonNode[]): LessonChange | null {
  const most = Math.min(before.length, after.length)
  let at = 0
  while (at < most && sameNode(before[at], after[at])) at += 1
  let end = 0
  while (end < most - at && sameNode(before.at(-1 - end), after.at(-1 - end))) end += 1
  const [remove, insert] = [before.length - at - end, after.slice(at, after.length - end)]
  return remove === 0 && insert.length === 0 ? null : { at, remove, insert }
}

/** Whether two blocks are one text; the order of keys and what is undefined don't matter. */
export function sameNode(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false
  if (Array.isArray(one) || Array.isArray(other)) {
    if (!Array.isArray(one) || !Array.isArray(other) || one.length !== other.length) return false
    return one.every((value, index) => sameNode(value, other[index]))
  }
  const [mine, theirs] = [said(one), said(other)]
  return (
    mine.size === theirs.size && [...mine].every(([key, value]) => theirs.has(key) && sameNode(value, theirs.get(key)))
  )
}

const said = (value: object) => new Map(Object.entries(value).filter(([, inner]) => inner !== undefined))
