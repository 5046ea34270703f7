import { diffArrays, diffWords } from 'diff'
import type { Locale } from '#lib/core/shared/locale.ts'
import { sameNode } from '#lib/course/lesson-rules.ts'
import type { LessonNode } from '#lib/course/schema.ts'
import { type LessonText, wordsOf } from './lesson.ts'

/** A piece of a block: words that stayed, came or went. */
export interface Piece {
  /** Where it begins, counted in pieces. */
  id: number
  text: string
  is: 'same' | 'added' | 'removed'
}

export type CompareLine = { id: number } & Line
type Line =
  | { kind: 'same'; count: number }
  | { kind: 'block'; heading: boolean; pieces: Piece[] }
  /** The words are the same, their form or what belongs to them is not. */
  | { kind: 'form'; heading: boolean; text: string }

// A block of thousands of changed words is shown whole, gone and come, rather than letting the page wait.
const PATIENCE_MILLISECONDS = 300

/** What changed from one text to the other, block by block and word by word, in reading order. */
export function compareTexts(before: LessonText, after: LessonText, locale: Locale): CompareLine[] {
  const lines: Line[] = []
  if (before.title !== after.title) lines.push(pair(titleOf(before), titleOf(after), locale))
  let gone: LessonNode[] = []
  const [one, other] = [before.blocks.content, after.blocks.content]
  const changes = diffArrays(one, other, { comparator: sameNode })
  for (const [index, { value, added, removed, count }] of changes.entries()) {
    if (removed) gone = value
    if (added) lines.push(...pairs(gone, value, locale))
    if (!added && gone.length > 0 && !removed) lines.push(...pairs(gone, [], locale))
    if (!removed) gone = []
    if (!added && !removed) lines.push({ kind: 'same', count })
    else if (removed && index === changes.length - 1) lines.push(...pairs(gone, [], locale))
  }
  return lines.map((line, id) => ({ ...line, id }))
}

/** Whether nothing differs. */
export const isSame = (lines: CompareLine[]): boolean => lines.every(({ kind }) => kind === 'same')

// Blocks in the same order on both sides belong together when they are of one kind and share words.
function pairs(gone: LessonNode[], come: LessonNode[], locale: Locale): Line[] {
  const lines: Line[] = []
  for (let index = 0; index < Math.max(gone.length, come.length); index += 1) {
    const [old, fresh] = [gone[index], come[index]]
    if (old && fresh && old.type === fresh.type) lines.push(pair(old, fresh, locale))
    else {
      if (old) lines.push(whole(old, 'removed'))
      if (fresh) lines.push(whole(fresh, 'added'))
    }
  }
  return lines
}

function pair(old: LessonNode, fresh: LessonNode, locale: Locale): Line {
  const heading = fresh.type === 'heading'
  const [before, after] = [wordsOf(old), wordsOf(fresh)]
  if (before === after) return { kind: 'form', heading, text: after }
  const intlSegmenter = new Intl.Segmenter(locale, { granularity: 'word' })
  const words = diffWords(before, after, { intlSegmenter, timeout: PATIENCE_MILLISECONDS })
  const pieces = words?.map(({ value, added, removed }, id) => piece(value, isOf(added, removed), id))
  return { kind: 'block', heading, pieces: pieces ?? [piece(before, 'removed', 0), piece(after, 'added', 1)] }
}

const isOf = (added: boolean, removed: boolean): Piece['is'] => (added ? 'added' : removed ? 'removed' : 'same')
const piece = (text: string, is: Piece['is'], id: number): Piece => ({ id, text, is })

function whole(node: LessonNode, is: 'added' | 'removed'): Line {
  return { kind: 'block', heading: node.type === 'heading', pieces: [piece(wordsOf(node), is, 0)] }
}

const titleOf = ({ title }: LessonText): LessonNode => ({ type: 'heading', content: [{ type: 'text', text: title }] })
