import type { LessonDoc, LessonNode } from '#lib/core/shared/lesson-doc.ts'

/** Accessibility hints about a document: keys `editor:hint.<kind>`. */
const HINT_KINDS = ['alt', 'order', 'emptyHeading', 'linkWords', 'upload', 'test'] as const
type HintKind = (typeof HINT_KINDS)[number]

export interface Hint {
  kind: HintKind
  /** Index of the top-level block. */
  index: number
  /** Index among the hints of its block and kind; together they identify a hint. */
  nth: number
}

/** Complete link texts that do not describe the target (WCAG 2.2, 2.4.4). */
const VAGUE_LINK_TEXT =
  /^(тут|тутечки|тиць|сюди|ось|посилання|лінк|детальніше|далі|читати далі|here|click here|link|this|more|read more)[.!…:]?$/iu
const LINK_ADDRESS = /^(https?:\/\/|www\.)\S+$/i

/** Collects the hints of a document in one pass, in reading order. */
export function findHints(doc: LessonDoc): Hint[] {
  const hints: Hint[] = []
  let level = 1
  for (const [index, block] of doc.content.entries()) {
    const stack: LessonNode[] = [block]
    for (let node = stack.pop(); node; node = stack.pop()) {
      const kind = hintForNode(node, level)
      if (kind)
        hints.push({ kind, index, nth: hints.filter((hint) => hint.index === index && hint.kind === kind).length })
      if (node.type === 'heading') level = Number(node.attrs?.level)
      stack.push(...(node.content ?? []).toReversed())
    }
  }
  return hints
}

function hintForNode(
  { type, attrs = {}, content = [], text = '', marks = [] }: LessonNode,
  level: number,
): HintKind | null {
  if (type === 'image') return String(attrs.alt ?? '').trim() ? null : 'alt'
  if (type === 'upload') return 'upload'
  if (type === 'test') return attrs.testId ? null : 'test'
  if (type === 'heading') {
    if (!content.some((child) => child.text?.trim())) return 'emptyHeading'
    return Number(attrs.level) > level + 1 ? 'order' : null
  }
  const isLink = type === 'text' && marks.some((mark) => mark.type === 'link')
  return isLink && (VAGUE_LINK_TEXT.test(text.trim()) || LINK_ADDRESS.test(text.trim())) ? 'linkWords' : null
}
