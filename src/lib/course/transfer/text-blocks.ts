import { isSafeHref, type LessonNode } from '#lib/core/shared/lesson-doc.ts'

/** Pieces of a lesson's text, as every reading of another format builds them. */
export type DocMark = NonNullable<LessonNode['marks']>[number]

export function linked(marks: DocMark[], href: string): DocMark[] {
  return isSafeHref(href) ? marked(marks, { type: 'link', attrs: { href } }) : marks
}

export function marked(marks: DocMark[], mark: DocMark): DocMark[] {
  return marks.some((known) => known.type === mark.type) ? marks : [...marks, mark]
}

export function words(value: string, marks: DocMark[]): LessonNode[] {
  const flat = inOneLine(value)
  return flat === '' ? [] : [text(flat, marks)]
}

/** Line breaks with the white space around them become one space. Linear, whatever the white space. */
function inOneLine(value: string): string {
  const lines = value.split('\n')
  const [first = ''] = lines
  if (lines.length === 1) return first
  const inner = lines.slice(1, -1).map((line) => line.trim())
  return [first.trimEnd(), ...inner.filter((line) => line !== ''), lines.at(-1)?.trimStart()].join(' ')
}

export function text(value: string, marks: DocMark[]): LessonNode {
  return marks.length > 0 ? { type: 'text', text: value, marks } : { type: 'text', text: value }
}

/** Pictures and films are blocks of their own: a paragraph with one inside falls into text, picture, text. */
export function textBlocks(shell: LessonNode, phrases: LessonNode[]): LessonNode[] {
  const found: LessonNode[] = []
  let line: LessonNode[] = []
  const close = () => {
    if (line.some((node) => node.type === 'text' && node.text?.trim())) found.push({ ...shell, content: joined(line) })
    line = []
  }
  for (const node of phrases) {
    if (node.type !== 'text' && node.type !== 'hardBreak') {
      close()
      found.push(node)
    } else line.push(node)
  }
  close()
  return found
}

/** Neighbours with the same marks become one text node, as the editor itself would store them. */
function joined(line: LessonNode[]): LessonNode[] {
  const whole: LessonNode[] = []
  for (const node of line) {
    const last = whole.at(-1)
    const same = last?.type === 'text' && node.type === 'text' && sameMarks(last, node)
    if (last && same) last.text = `${last.text ?? ''}${node.text ?? ''}`
    else whole.push({ ...node })
  }
  return whole
}

function sameMarks(one: LessonNode, other: LessonNode): boolean {
  return JSON.stringify(one.marks ?? []) === JSON.stringify(other.marks ?? [])
}

export function plainParagraph(value: string): LessonNode[] {
  return textBlocks({ type: 'paragraph' }, words(value.trim(), []))
}

export function atLeastAParagraph(content: LessonNode[]): LessonNode[] {
  return content.length > 0 ? content : [{ type: 'paragraph' }]
}
