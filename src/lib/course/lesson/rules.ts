import { countWords, LESSON_LIMITS, type LessonNode, walkNodes } from '#lib/core/shared/lesson-doc.ts'
import type { LessonChange } from './schema.ts'

/** Size of a document in the units of LESSON_LIMITS, and its word count. */
export interface LessonSize {
  nodes: number
  characters: number
  words: number
}

/** Size of the blocks without the document node. */
export function measureContent(content: LessonNode[]): LessonSize {
  const size = { nodes: 0, characters: 0, words: countWords({ type: 'doc', content }) }
  for (const { text } of walkNodes({ type: 'doc', content })) {
    size.nodes += 1
    size.characters += text?.length ?? 0
  }
  return size
}

/** Size of a document after some blocks were replaced. */
export function updateSize(before: LessonSize, removed: LessonNode[], added: LessonNode[]): LessonSize {
  const [removedSize, addedSize] = [measureContent(removed), measureContent(added)]
  return {
    nodes: before.nodes - removedSize.nodes + addedSize.nodes,
    characters: before.characters - removedSize.characters + addedSize.characters,
    words: before.words - removedSize.words + addedSize.words,
  }
}

/** Whether a document exceeds the limits; the document node counts too. */
export function isTooLarge({ nodes, characters }: LessonSize): boolean {
  return nodes + 1 > LESSON_LIMITS.nodes || characters > LESSON_LIMITS.characters
}

/** The blocks after a change. */
export function applyLessonChange(content: readonly LessonNode[], { at, remove, insert }: LessonChange): LessonNode[] {
  return [...content.slice(0, at), ...insert, ...content.slice(at + remove)]
}

/**
 * The change that turns `before` into `after`: everything between the first and the last differing block. Null when
 * nothing differs. Identical objects are not compared deeply, so a keystroke in a long text is cheap.
 */
export function findChange(before: readonly LessonNode[], after: readonly LessonNode[]): LessonChange | null {
  const shorter = Math.min(before.length, after.length)
  let at = 0
  while (at < shorter && isSameNode(before[at], after[at])) at += 1
  let end = 0
  while (end < shorter - at && isSameNode(before.at(-1 - end), after.at(-1 - end))) end += 1
  const [remove, insert] = [before.length - at - end, after.slice(at, after.length - end)]
  return remove === 0 && insert.length === 0 ? null : { at, remove, insert }
}

/** Whether two blocks are equal; the order of keys and undefined values are ignored. */
export function isSameNode(left: unknown, right: unknown): boolean {
  if (left === right) return true
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false
  if (Array.isArray(left) || Array.isArray(right)) {
    if (!Array.isArray(left) || !Array.isArray(right) || left.length !== right.length) return false
    return left.every((value, index) => isSameNode(value, right[index]))
  }
  const [leftEntries, rightEntries] = [definedEntries(left), definedEntries(right)]
  return (
    leftEntries.size === rightEntries.size &&
    [...leftEntries].every(([key, value]) => rightEntries.has(key) && isSameNode(value, rightEntries.get(key)))
  )
}

const definedEntries = (value: object) => new Map(Object.entries(value).filter(([, inner]) => inner !== undefined))
