import { diffArrays } from 'diff'
import type { Choice, Three } from '#islands/stores/draft/draft-parts.ts'
import type { LessonNode } from '#lib/core/shared/lesson-doc.ts'
import type { LessonText } from './lesson.ts'

/** What each of two authors made of one place of a text. */
export interface Dispute {
  mine: LessonNode[]
  theirs: LessonNode[]
}

/**
 * Two changes of one lesson in one text. Blocks that only one of both touched are taken from that one; where they meet,
 * the choice decides, and without it there is null.
 */
export function mergeLessons({ base, mine, theirs }: Three<LessonText>, choice?: Choice): LessonText | null {
  const title = mergeTitles({ base: base.title, mine: mine.title, theirs: theirs.title }, choice)
  const blocks = { base: base.blocks.content, mine: mine.blocks.content, theirs: theirs.blocks.content }
  const { content } = mergeBlocks(blocks, choice)
  if (title === null || content === null) return null
  return { title, blocks: { type: 'doc', content: content.length > 0 ? content : [{ type: 'paragraph' }] } }
}

/** The merged blocks, or null, and the places where the two meet. The algorithm is diff3's, over whole blocks. */
export function mergeBlocks(
  { base, mine, theirs }: Three<LessonNode[]>,
  choice?: Choice,
): { content: LessonNode[] | null; disputes: Dispute[] } {
  const disputes: Dispute[] = []
  const content: LessonNode[] = []
  let at = 0
  for (const place of placesOf(hunksOf(base, mine, 'mine'), hunksOf(base, theirs, 'theirs'))) {
    content.push(...base.slice(at, place.from))
    const [ours, others] = [place.made(base, 'mine'), place.made(base, 'theirs')]
    const agreed = !place.both ? (place.by === 'mine' ? ours : others) : sameBlocks(ours, others) ? ours : null
    if (agreed) content.push(...agreed)
    else {
      disputes.push({ mine: ours, theirs: others })
      if (choice !== 'mine') content.push(...others)
      if (choice !== 'theirs') content.push(...ours)
    }
    at = place.to
  }
  content.push(...base.slice(at))
  return { content: disputes.length > 0 && !choice ? null : content, disputes }
}

type Side = 'mine' | 'theirs'
interface Hunk {
  by: Side
  from: number
  to: number
  insert: LessonNode[]
}
interface Place {
  from: number
  to: number
  by: Side
  both: boolean
  made(base: LessonNode[], side: Side): LessonNode[]
}

function hunksOf(base: LessonNode[], changed: LessonNode[], by: Side): Hunk[] {
  const hunks: Hunk[] = []
  let [before, after] = [0, 0]
  let open: Hunk | null = null
  for (const { added, removed, count } of diffArrays(base.map(keyOf), changed.map(keyOf))) {
    if (!added && !removed) {
      open = null
      before += count
      after += count
      continue
    }
    if (!open) {
      open = { by, from: before, to: before, insert: [] }
      hunks.push(open)
    }
    if (removed) {
      before += count
      open.to = before
    } else {
      open.insert.push(...changed.slice(after, after + count))
      after += count
    }
  }
  return hunks.flatMap(blockwise)
}

// As many blocks for as many: each took the place of one, so that a neighbour's change need not meet it.
function blockwise(hunk: Hunk): Hunk[] {
  const { by, from, to, insert } = hunk
  if (insert.length !== to - from) return [hunk]
  return insert.map((block, index) => ({ by, from: from + index, to: from + index + 1, insert: [block] }))
}

/** Hunks that meet stand in one place together. */
function placesOf(mine: Hunk[], theirs: Hunk[]): Place[] {
  const groups: Hunk[][] = []
  for (const hunk of [...mine, ...theirs].sort((a, b) => a.from - b.from || a.to - b.to)) {
    const last = groups.at(-1)
    if (last?.some((other) => meet(other, hunk))) last.push(hunk)
    else groups.push([hunk])
  }
  return groups.map((hunks) => {
    const [from, to] = [Math.min(...hunks.map((one) => one.from)), Math.max(...hunks.map((one) => one.to))]
    const by = hunks[0]?.by ?? 'mine'
    const made = (base: LessonNode[], side: Side) => partOf(base, hunks, { from, to, side })
    return { from, to, by, both: hunks.some((one) => one.by !== by), made }
  })
}

function partOf(base: LessonNode[], hunks: Hunk[], { from, to, side }: { from: number; to: number; side: Side }) {
  const content: LessonNode[] = []
  let at = from
  for (const hunk of hunks) {
    if (hunk.by !== side) continue
    content.push(...base.slice(at, hunk.from), ...hunk.insert)
    at = hunk.to
  }
  return [...content, ...base.slice(at, to)]
}

// Two insertions meet in one point; an insertion meets what is replaced around it, not what begins or ends there.
function meet(one: Hunk, other: Hunk): boolean {
  if (one.from === one.to && other.from === other.to) return one.from === other.from
  return one.from < other.to && other.from < one.to
}

function mergeTitles({ base, mine, theirs }: Three<string>, choice?: Choice): string | null {
  if (mine === theirs || theirs === base) return mine
  if (mine === base) return theirs
  if (!choice) return null
  return choice === 'theirs' ? theirs : mine
}

const sameBlocks = (one: LessonNode[], other: LessonNode[]): boolean =>
  one.length === other.length && one.every((node, index) => keyOf(node) === keyOf(other[index] ?? node))

const keys = new WeakMap<LessonNode, string>()

/** One writing for equal blocks: documents here have passed the schema, which puts keys in its own order. */
function keyOf(node: LessonNode): string {
  const known = keys.get(node) ?? JSON.stringify(node)
  keys.set(node, known)
  return known
}
