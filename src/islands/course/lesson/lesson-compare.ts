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
  | { kind: 'block'; heading: boolean; textChanges: TextChange[]; blockChanges: BlockChange[] }
  /** The text is unchanged, its formatting or blocks are not. */
  | { kind: 'form'; heading: boolean; text: string; blockChanges: BlockChange[] }

// Beyond this time a block is shown as removed and added as a whole.
const DIFF_TIMEOUT_MS = 300

/** Differences of two lesson texts by block and word, in reading order. */
export function compareTexts(before: LessonText, after: LessonText, locale: Locale): CompareLine[] {
  const rows: Line[] = []
  if (before.title !== after.title) rows.push(compareBlocks(titleBlock(before), titleBlock(after), locale))
  let removedBlocks: LessonNode[] = []
  const [beforeBlocks, afterBlocks] = [before.blocks.content, after.blocks.content]
  const changes = diffArrays(beforeBlocks, afterBlocks, { comparator: isSameNode })
  for (const [index, { value, added, removed, count }] of changes.entries()) {
    if (removed) removedBlocks = value
    if (added) rows.push(...comparePairs(removedBlocks, value, locale))
    if (!added && removedBlocks.length > 0 && !removed) rows.push(...comparePairs(removedBlocks, [], locale))
    if (!removed) removedBlocks = []
    if (!added && !removed) rows.push({ kind: 'same', count })
    else if (removed && index === changes.length - 1) rows.push(...comparePairs(removedBlocks, [], locale))
  }
  return rows.map((row, id) => ({ ...row, id }))
}

/** Whether the texts are equal. */
export const hasNoChanges = (rows: CompareLine[]): boolean => rows.every(({ kind }) => kind === 'same')

// Blocks at the same position with the same type are compared by words.
function comparePairs(removed: LessonNode[], added: LessonNode[], locale: Locale): Line[] {
  const rows: Line[] = []
  for (let index = 0; index < Math.max(removed.length, added.length); index += 1) {
    const [before, after] = [removed[index], added[index]]
    if (before && after && before.type === after.type) rows.push(compareBlocks(before, after, locale))
    else {
      if (before) rows.push(wholeBlock(before, 'removed'))
      if (after) rows.push(wholeBlock(after, 'added'))
    }
  }
  return rows
}

function compareBlocks(oldBlock: LessonNode, newBlock: LessonNode, locale: Locale): Line {
  const heading = newBlock.type === 'heading'
  const [before, after] = [blockText(oldBlock), blockText(newBlock)]
  const blockChanges = compareNonTextBlocks(nonTextBlocksOf(oldBlock), nonTextBlocksOf(newBlock))
  if (before === after) return { kind: 'form', heading, text: after, blockChanges }
  const intlSegmenter = new Intl.Segmenter(locale, { granularity: 'word' })
  const wordDiffs = diffWords(before, after, { intlSegmenter, timeout: DIFF_TIMEOUT_MS })
  const textChanges = wordDiffs?.map(({ value, added, removed }, id) => textChange(value, changeOf(added, removed), id))
  return {
    kind: 'block',
    heading,
    textChanges: textChanges ?? [textChange(before, 'removed', 0), textChange(after, 'added', 1)],
    blockChanges,
  }
}

const changeOf = (added: boolean, removed: boolean): TextChange['change'] =>
  added ? 'added' : removed ? 'removed' : 'same'
const textChange = (text: string, is: TextChange['change'], id: number): TextChange => ({ id, text, change: is })

function wholeBlock(node: LessonNode, is: 'added' | 'removed'): Line {
  const text = blockText(node)
  const blockChanges = nonTextBlocksOf(node).map((block, id): BlockChange => ({ id, node: block, change: is }))
  return {
    kind: 'block',
    heading: node.type === 'heading',
    textChanges: text ? [textChange(text, is, 0)] : [],
    blockChanges,
  }
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
  return changed.map((block, id) => ({ ...block, id }))
}

const titleBlock = ({ title }: LessonText): LessonNode => ({
  type: 'heading',
  content: [{ type: 'text', text: title }],
})
