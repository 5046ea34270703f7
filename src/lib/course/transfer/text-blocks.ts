import { isSafeHref, type LessonNode } from '#lib/core/shared/lesson-doc.ts'

/** Building blocks of a lesson's text for all import formats. */
export type DocMark = NonNullable<LessonNode['marks']>[number]

export function withLink(marks: DocMark[], href: string): DocMark[] {
  return isSafeHref(href) ? withMark(marks, { type: 'link', attrs: { href } }) : marks
}

export function withMark(marks: DocMark[], mark: DocMark): DocMark[] {
  return marks.some((known) => known.type === mark.type) ? marks : [...marks, mark]
}

export function textNodes(value: string, marks: DocMark[]): LessonNode[] {
  const oneLine = joinLines(value)
  return oneLine === '' ? [] : [textNode(oneLine, marks)]
}

/** Line breaks and the white space around them become one space. Runs in linear time. */
function joinLines(value: string): string {
  const lines = value.split('\n')
  const [first = ''] = lines
  if (lines.length === 1) return first
  const inner = lines.slice(1, -1).map((line) => line.trim())
  return [first.trimEnd(), ...inner.filter((line) => line !== ''), lines.at(-1)?.trimStart()].join(' ')
}

export function textNode(value: string, marks: DocMark[]): LessonNode {
  return marks.length > 0 ? { type: 'text', text: value, marks } : { type: 'text', text: value }
}

/** Images and videos are separate blocks: a paragraph that contains one is split into text, image, text. */
export function textBlocks(block: LessonNode, nodes: LessonNode[]): LessonNode[] {
  const blocks: LessonNode[] = []
  let inline: LessonNode[] = []
  const flushInline = () => {
    if (inline.some((node) => node.type === 'text' && node.text?.trim()))
      blocks.push({ ...block, content: mergeTextNodes(inline) })
    inline = []
  }
  for (const node of nodes) {
    if (node.type !== 'text' && node.type !== 'hardBreak') {
      flushInline()
      blocks.push(node)
    } else inline.push(node)
  }
  flushInline()
  return blocks
}

/** Adjacent nodes with the same marks become one text node, as in the editor. */
function mergeTextNodes(nodes: LessonNode[]): LessonNode[] {
  const merged: LessonNode[] = []
  for (const node of nodes) {
    const last = merged.at(-1)
    const same = last?.type === 'text' && node.type === 'text' && hasSameMarks(last, node)
    if (last && same) last.text = `${last.text ?? ''}${node.text ?? ''}`
    else merged.push({ ...node })
  }
  return merged
}

function hasSameMarks(left: LessonNode, right: LessonNode): boolean {
  return JSON.stringify(left.marks ?? []) === JSON.stringify(right.marks ?? [])
}

export function plainParagraph(value: string): LessonNode[] {
  return textBlocks({ type: 'paragraph' }, textNodes(value.trim(), []))
}

export function ensureParagraph(content: LessonNode[]): LessonNode[] {
  return content.length > 0 ? content : [{ type: 'paragraph' }]
}
