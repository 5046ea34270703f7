import type { InboxItemView } from './output-schema.ts'

/** A group of questions that ask about the same, so that one answer may fit all. */
export interface SimilarGroup {
  key: string
  count: number
  /** The first of the group in the list. */
  isFirst: boolean
}

type Question = Pick<InboxItemView, 'ref' | 'kind' | 'excerpt' | 'courseId' | 'lesson' | 'taskId'>

/** The share of common trigrams from which two texts count as similar. */
const LEAST_SIMILARITY = 0.35

/** Whether an item is answered by a message. */
const isQuestionKind = (kind: Question['kind']): boolean => kind === 'chat' || kind === 'lesson' || kind === 'thread'

/**
 * Groups the questions of a page whose texts have many trigrams in common and that are about the same course, lesson and task.
 * A question belongs to the first group that it is similar to; those without a similar one are not returned.
 */
export function groupSimilar(items: readonly Question[]): Map<string, SimilarGroup> {
  const groups: { place: string; trigrams: Set<string>; refs: string[] }[] = []
  for (const item of items) {
    if (!isQuestionKind(item.kind)) continue
    const trigrams = trigramsOf(item.excerpt)
    if (trigrams.size === 0) continue
    const place = [item.courseId, item.lesson, item.taskId].join(' ')
    const known = groups.find(
      (group) => group.place === place && similarity(group.trigrams, trigrams) >= LEAST_SIMILARITY,
    )
    if (known) known.refs.push(item.ref)
    else groups.push({ place, trigrams, refs: [item.ref] })
  }
  return new Map(
    groups.flatMap(({ refs }, index) =>
      refs.length < 2
        ? []
        : refs.map((ref, at) => [ref, { key: String(index), count: refs.length, isFirst: at === 0 }] as const),
    ),
  )
}

/** The letters of the words in groups of three, as PostgreSQL's pg_trgm: each word with two blanks before and one after. */
function trigramsOf(text: string): Set<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  return new Set(
    words.flatMap((word) => {
      const padded = `  ${word} `
      return Array.from({ length: padded.length - 2 }, (_, at) => padded.slice(at, at + 3))
    }),
  )
}

function similarity(first: ReadonlySet<string>, second: ReadonlySet<string>): number {
  const common = [...first].filter((trigram) => second.has(trigram)).length
  return common / (first.size + second.size - common)
}
