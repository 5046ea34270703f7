import { diffArrays } from 'diff'
import type { ConflictResolution, MergeTexts } from '#islands/stores/draft/draft-settings.ts'
import type { LessonNode } from '#lib/core/shared/lesson-doc.ts'
import type { LessonText } from './lesson.ts'

/** The two versions of a region that both authors changed. */
export interface BlockConflict {
  mine: LessonNode[]
  theirs: LessonNode[]
}

/**
 * Merges two changes of a lesson. Regions changed by one side are taken from it; overlapping ones need a choice,
 * without which the result is null.
 */
export function mergeLessons(
  { base, mine, theirs }: MergeTexts<LessonText>,
  choice?: ConflictResolution,
): LessonText | null {
  const title = mergeTitles({ base: base.title, mine: mine.title, theirs: theirs.title }, choice)
  const blocks = { base: base.blocks.content, mine: mine.blocks.content, theirs: theirs.blocks.content }
  const { content } = mergeBlocks(blocks, choice)
  if (title === null || content === null) return null
  return { title, blocks: { type: 'doc', content: content.length > 0 ? content : [{ type: 'paragraph' }] } }
}

/** Three-way merge of blocks (diff3 over whole blocks): the merged content, or null, and the conflicts. */
export function mergeBlocks(
  { base, mine, theirs }: MergeTexts<LessonNode[]>,
  choice?: ConflictResolution,
): { content: LessonNode[] | null; conflicts: BlockConflict[] } {
  const conflicts: BlockConflict[] = []
  const content: LessonNode[] = []
  let position = 0
  for (const region of groupHunks(findHunks(base, mine, 'mine'), findHunks(base, theirs, 'theirs'))) {
    content.push(...base.slice(position, region.from))
    const [mineBlocks, theirBlocks] = [region.contentOf(base, 'mine'), region.contentOf(base, 'theirs')]
    const resolved = !region.isShared
      ? region.side === 'mine'
        ? mineBlocks
        : theirBlocks
      : hasSameBlocks(mineBlocks, theirBlocks)
        ? mineBlocks
        : null
    if (resolved) content.push(...resolved)
    else {
      conflicts.push({ mine: mineBlocks, theirs: theirBlocks })
      if (choice !== 'mine') content.push(...theirBlocks)
      if (choice !== 'theirs') content.push(...mineBlocks)
    }
    position = region.to
  }
  content.push(...base.slice(position))
  return { content: conflicts.length > 0 && !choice ? null : content, conflicts }
}

type Side = 'mine' | 'theirs'
interface Hunk {
  side: Side
  from: number
  to: number
  insert: LessonNode[]
}
interface MergeRegion {
  from: number
  to: number
  side: Side
  isShared: boolean
  contentOf(base: LessonNode[], side: Side): LessonNode[]
}

function findHunks(base: LessonNode[], changed: LessonNode[], side: Side): Hunk[] {
  const hunks: Hunk[] = []
  let [before, after] = [0, 0]
  let current: Hunk | null = null
  for (const { added, removed, count } of diffArrays(base.map(nodeKey), changed.map(nodeKey))) {
    if (!added && !removed) {
      current = null
      before += count
      after += count
      continue
    }
    if (!current) {
      current = { side, from: before, to: before, insert: [] }
      hunks.push(current)
    }
    if (removed) {
      before += count
      current.to = before
    } else {
      current.insert.push(...changed.slice(after, after + count))
      after += count
    }
  }
  return hunks.flatMap(splitByBlock)
}

// Equal numbers of blocks replace each other one by one, so that adjacent changes do not overlap.
function splitByBlock(hunk: Hunk): Hunk[] {
  const { side, from, to, insert } = hunk
  if (insert.length !== to - from) return [hunk]
  return insert.map((block, index) => ({ side, from: from + index, to: from + index + 1, insert: [block] }))
}

/** Groups overlapping hunks into regions. */
function groupHunks(mine: Hunk[], theirs: Hunk[]): MergeRegion[] {
  const groups: Hunk[][] = []
  for (const hunk of [...mine, ...theirs].sort((a, b) => a.from - b.from || a.to - b.to)) {
    const last = groups.at(-1)
    if (last?.some((other) => overlap(other, hunk))) last.push(hunk)
    else groups.push([hunk])
  }
  return groups.map((hunks) => {
    const [from, to] = [Math.min(...hunks.map((hunk) => hunk.from)), Math.max(...hunks.map((hunk) => hunk.to))]
    const firstSide = hunks[0]?.side ?? 'mine'
    const contentOf = (base: LessonNode[], side: Side) => regionContent(base, hunks, { from, to, side })
    return { from, to, side: firstSide, isShared: hunks.some((hunk) => hunk.side !== firstSide), contentOf }
  })
}

function regionContent(
  base: LessonNode[],
  hunks: Hunk[],
  { from, to, side }: { from: number; to: number; side: Side },
) {
  const content: LessonNode[] = []
  let position = from
  for (const hunk of hunks) {
    if (hunk.side !== side) continue
    content.push(...base.slice(position, hunk.from), ...hunk.insert)
    position = hunk.to
  }
  return [...content, ...base.slice(position, to)]
}

// Insertions overlap at the same position; an insertion overlaps a replacement around it, not one that begins or ends
// there.
function overlap(left: Hunk, right: Hunk): boolean {
  if (left.from === left.to && right.from === right.to) return left.from === right.from
  return left.from < right.to && right.from < left.to
}

function mergeTitles({ base, mine, theirs }: MergeTexts<string>, choice?: ConflictResolution): string | null {
  if (mine === theirs || theirs === base) return mine
  if (mine === base) return theirs
  if (!choice) return null
  return choice === 'theirs' ? theirs : mine
}

const hasSameBlocks = (left: LessonNode[], right: LessonNode[]): boolean =>
  left.length === right.length && left.every((node, index) => nodeKey(node) === nodeKey(right[index] ?? node))

const keys = new WeakMap<LessonNode, string>()

/** Serialized block. Documents have passed the schema, which orders their keys. */
function nodeKey(node: LessonNode): string {
  const key = keys.get(node) ?? JSON.stringify(node)
  keys.set(node, key)
  return key
}
