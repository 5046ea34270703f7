import { diffArrays, diffWords } from 'diff'
import type { LessonNode } from '#lib/core/shared/lesson-doc.ts'
import type { Locale } from '#lib/core/shared/locale.ts'
import { isSameNode } from '#lib/course/lesson/rules.ts'
import type { LessonText } from './lesson.ts'

/** A text segment of a block: unchanged, added or removed. */
export interface TextChange {
  /** Index of the segment. */
  id: number
  text: string
  change: 'same' | 'added' | 'removed'
}

/** A block without text that was added or removed. */
export interface BlockChange {
  /** Index among the blocks of its row. */
  id: number
  node: LessonNode
  change: 'added' | 'removed'
}

export type CompareLine = { id: number } & Line
type Line =
  | { kind: 'same'; count: number }
  | { kind: 'block'; heading: boolean; pieces: TextChange[]; things: BlockChange[] }
  /** The text is unchanged, its formatting or blocks are not. */
  | { kind: 'form'; heading: boolean; text: string; things: BlockChange[] }

// Beyond this time a block is shown as removed and added as a whole.
const DIFF_TIMEOUT_MS = 300

/** Differences of two lesson texts by block and word, in reading order. */
export function compareTexts(before: LessonText, after: LessonText, locale: Locale): CompareLine[] {
  const lines: Line[] = []
  if (before.title !== after.title) lines.push(compareBlocks(titleBlock(before), titleBlock(after), locale))
  let removedBlocks: LessonNode[] = []
  const [beforeBlocks, afterBlocks] = [before.blocks.content, after.blocks.content]
  const changes = diffArrays(beforeBlocks, afterBlocks, { comparator: isSameNode })
  for (const [index, { value, added, removed, count }] of changes.entries()) {
    if (removed) removedBlocks = value
    if (added) lines.push(...comparePairs(removedBlocks, value, locale))
    if (!added && removedBlocks.length > 0 && !removed) lines.push(...comparePairs(removedBlocks, [], locale))
    if (!removed) removedBlocks = []
    if (!added && !removed) lines.push({ kind: 'same', count })
    else if (removed && index === changes.length - 1) lines.push(...comparePairs(removedBlocks, [], locale))
  }
  return lines.map((line, id) => ({ ...line, id }))
}

/** Whether the texts are equal. */
export const isSame = (lines: CompareLine[]): boolean => lines.every(({ kind }) => kind === 'same')

// Blocks at the same position with the same type are compared by words.
function comparePairs(removed: LessonNode[], added: LessonNode[], locale: Locale): Line[] {
  const lines: Line[] = []
  for (let index = 0; index < Math.max(removed.length, added.length); index += 1) {
    const [before, after] = [removed[index], added[index]]
    if (before && after && before.type === after.type) lines.push(compareBlocks(before, after, locale))
    else {
      if (before) lines.push(wholeBlock(before, 'removed'))
      if (after) lines.push(wholeBlock(after, 'added'))
    }
  }
  return lines
}

function compareBlocks(oldBlock: LessonNode, newBlock: LessonNode, locale: Locale): Line {
  const heading = newBlock.type === 'heading'
  const [before, after] = [blockText(oldBlock), blockText(newBlock)]
  const things = compareNonTextBlocks(nonTextBlocksOf(oldBlock), nonTextBlocksOf(newBlock))
  if (before === after) return { kind: 'form', heading, text: after, things }
  const intlSegmenter = new Intl.Segmenter(locale, { granularity: 'word' })
  const words = diffWords(before, after, { intlSegmenter, timeout: DIFF_TIMEOUT_MS })
  const pieces = words?.map(({ value, added, removed }, id) => piece(value, changeOf(added, removed), id))
  return { kind: 'block', heading, pieces: pieces ?? [piece(before, 'removed', 0), piece(after, 'added', 1)], things }
}

const changeOf = (added: boolean, removed: boolean): TextChange['change'] =>
  added ? 'added' : removed ? 'removed' : 'same'
const piece = (text: string, is: TextChange['change'], id: number): TextChange => ({ id, text, change: is })

function wholeBlock(node: LessonNode, is: 'added' | 'removed'): Line {
  const text = blockText(node)
  const things = nonTextBlocksOf(node).map((thing, id): BlockChange => ({ id, node: thing, change: is }))
  return { kind: 'block', heading: node.type === 'heading', pieces: text ? [piece(text, is, 0)] : [], things }
}

/** Block types without text. */
const NON_TEXT_BLOCKS = new Set([
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

const nonTextBlocksOf = (block: LessonNode): LessonNode[] =>
  NON_TEXT_BLOCKS.has(block.type) ? [block] : (block.content ?? []).flatMap(nonTextBlocksOf)

/** Text of a block without nested blocks of these types. */
function blockText(node: LessonNode): string {
  if (node.text !== undefined) return node.text
  if (node.type === 'hardBreak') return '\n'
  const content = (node.content ?? []).filter(({ type }) => !NON_TEXT_BLOCKS.has(type))
  const parts = content.map(blockText)
  if (content.some(({ type }) => type === 'text')) return parts.join('')
  return parts.filter((part) => part !== '').join('\n')
}

function compareNonTextBlocks(before: LessonNode[], after: LessonNode[]): BlockChange[] {
  const changes = diffArrays(before, after, { comparator: isSameNode })
  const changed = changes.flatMap(({ value, added, removed }) =>
    added || removed ? value.map((node) => ({ node, change: added ? ('added' as const) : ('removed' as const) })) : [],
  )
  return changed.map((thing, id) => ({ ...thing, id }))
}

const titleBlock = ({ title }: LessonText): LessonNode => ({
  type: 'heading',
  content: [{ type: 'text', text: title }],
})
