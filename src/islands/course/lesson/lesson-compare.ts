import { diffArrays, diffWords } from 'diff'
import type { LessonNode } from '#lib/core/shared/lesson-doc.ts'
import type { Locale } from '#lib/core/shared/locale.ts'
import { sameNode } from '#lib/course/lesson/rules.ts'
import type { LessonText } from './lesson.ts'

/** A piece of a block: words that stayed, came or went. */
export interface Piece {
  /** Where it begins, counted in pieces. */
  id: number
  text: string
  is: 'same' | 'added' | 'removed'
}

/** A picture, a film, a file, a task or the like that came or went. */
export interface Thing {
  /** Where it stands among the things of its line. */
  id: number
  node: LessonNode
  is: 'added' | 'removed'
}

export type CompareLine = { id: number } & Line
type Line =
  | { kind: 'same'; count: number }
  | { kind: 'block'; heading: boolean; pieces: Piece[]; things: Thing[] }
  /** The words are the same, their form or what belongs to them is not. */
  | { kind: 'form'; heading: boolean; text: string; things: Thing[] }

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
  const [before, after] = [textOf(old), textOf(fresh)]
  const things = changedThings(thingsOf(old), thingsOf(fresh))
  if (before === after) return { kind: 'form', heading, text: after, things }
  const intlSegmenter = new Intl.Segmenter(locale, { granularity: 'word' })
  const words = diffWords(before, after, { intlSegmenter, timeout: PATIENCE_MILLISECONDS })
  const pieces = words?.map(({ value, added, removed }, id) => piece(value, isOf(added, removed), id))
  return { kind: 'block', heading, pieces: pieces ?? [piece(before, 'removed', 0), piece(after, 'added', 1)], things }
}

const isOf = (added: boolean, removed: boolean): Piece['is'] => (added ? 'added' : removed ? 'removed' : 'same')
const piece = (text: string, is: Piece['is'], id: number): Piece => ({ id, text, is })

function whole(node: LessonNode, is: 'added' | 'removed'): Line {
  const text = textOf(node)
  const things = thingsOf(node).map((thing, id): Thing => ({ id, node: thing, is }))
  return { kind: 'block', heading: node.type === 'heading', pieces: text ? [piece(text, is, 0)] : [], things }
}

/** Blocks of no words, shown as what they are. */
const THINGS = new Set([
  'image',
  'video',
  'audio',
  'file',
  'pdf',
  'embed',
  'button',
  'task',
  'test',
  'upload',
  'horizontalRule',
])

const thingsOf = (node: LessonNode): LessonNode[] =>
  THINGS.has(node.type) ? [node] : (node.content ?? []).flatMap(thingsOf)

/** The words of a block without the names of its things. */
function textOf(node: LessonNode): string {
  if (node.text !== undefined) return node.text
  if (node.type === 'hardBreak') return '\n'
  const content = (node.content ?? []).filter(({ type }) => !THINGS.has(type))
  const parts = content.map(textOf)
  if (content.some(({ type }) => type === 'text')) return parts.join('')
  return parts.filter((part) => part !== '').join('\n')
}

function changedThings(before: LessonNode[], after: LessonNode[]): Thing[] {
  const changes = diffArrays(before, after, { comparator: sameNode })
  const changed = changes.flatMap(({ value, added, removed }) =>
    added || removed ? value.map((node) => ({ node, is: added ? ('added' as const) : ('removed' as const) })) : [],
  )
  return changed.map((thing, id) => ({ ...thing, id }))
}

const titleOf = ({ title }: LessonText): LessonNode => ({ type: 'heading', content: [{ type: 'text', text: title }] })
