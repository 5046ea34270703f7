import type { LessonDoc, LessonNode } from '#lib/core/shared/lesson-doc.ts'

/** What a text says too little of to somebody. Advice: keys `editor:hint.<kind>`. */
export const HINTS = ['alt', 'order', 'emptyHeading', 'linkWords', 'upload', 'test'] as const
export type HintKind = (typeof HINTS)[number]

export interface Hint {
  kind: HintKind
  /** The block that stands directly in the document. */
  index: number
  /** Its place among the hints of its block and kind: with them it names a hint. */
  nth: number
}

/** Words that say nothing of where a link leads (WCAG 2.2, 2.4.4), whole. */
const VAGUE =
  /^(тут|тутечки|тиць|сюди|ось|посилання|лінк|детальніше|далі|читати далі|here|click here|link|this|more|read more)[.!…:]?$/iu
const ADDRESS = /^(https?:\/\/|www\.)\S+$/i

/** Goes through a text once, in reading order. */
export function hintsOf(doc: LessonDoc): Hint[] {
  const found: Hint[] = []
  let level = 1
  for (const [index, block] of doc.content.entries()) {
    const waiting: LessonNode[] = [block]
    for (let node = waiting.pop(); node; node = waiting.pop()) {
      const kind = hintOf(node, level)
      if (kind) found.push({ kind, index, nth: found.filter((one) => one.index === index && one.kind === kind).length })
      if (node.type === 'heading') level = Number(node.attrs?.level)
      waiting.push(...(node.content ?? []).toReversed())
    }
  }
  return found
}

function hintOf({ type, attrs = {}, content = [], text = '', marks = [] }: LessonNode, level: number): HintKind | null {
  if (type === 'image') return String(attrs.alt ?? '').trim() ? null : 'alt'
  if (type === 'upload') return 'upload'
  if (type === 'test') return attrs.testId ? null : 'test'
  if (type === 'heading') {
    if (!content.some((one) => one.text?.trim())) return 'emptyHeading'
    return Number(attrs.level) > level + 1 ? 'order' : null
  }
  const linked = type === 'text' && marks.some((mark) => mark.type === 'link')
  return linked && (VAGUE.test(text.trim()) || ADDRESS.test(text.trim())) ? 'linkWords' : null
}
