import { fileOf, type LessonNode } from '#lib/core/shared/lesson-doc.ts'
import type { QuestionDoc } from '../question/rich-text-schema.ts'
import type { PrintedBlock, TextRun } from './printed.ts'

/** Points by which a list is indented. */
const INDENT = 14

/** A formatted text as blocks for paper. Files and videos are printed by their names. */
export function blocksOf(doc: QuestionDoc, indent = 0): PrintedBlock[] {
  return doc.content.flatMap((node) => blockOf(node, indent))
}

function blockOf(node: LessonNode, indent: number, marker?: string): PrintedBlock[] {
  const marked = marker === undefined ? {} : { marker }
  switch (node.type) {
    case 'paragraph': {
      const runs = runsOf(node)
      return runs.length > 0 ? [{ kind: 'text', runs, indent, ...marked }] : []
    }
    case 'heading':
      return [{ kind: 'text', runs: runsOf(node).map((run) => ({ ...run, bold: true })), indent, ...marked }]
    case 'codeBlock':
      return nodeText(node)
        .split('\n')
        .map((line) => ({ kind: 'text', runs: [{ text: line }], indent: indent + INDENT }))
    case 'blockMath':
      return [{ kind: 'text', runs: [formula(node, 'block')], indent: indent + INDENT, ...marked }]
    case 'image': {
      const fileId = fileOf(node.attrs?.src)
      return fileId ? [{ kind: 'image', fileId, alt: String(node.attrs?.alt ?? ''), indent, regions: [] }] : []
    }
    case 'bulletList':
    case 'taskList':
      return itemsOf(node, indent, () => '•')
    case 'orderedList': {
      const start = Number(node.attrs?.start ?? 1)
      return itemsOf(node, indent, (index) => `${start + index}.`)
    }
    case 'table':
      return (node.content ?? []).map((row) => ({ kind: 'text', runs: rowOf(row), indent }))
    case 'file':
    case 'pdf':
      return [{ kind: 'text', runs: [{ text: String(node.attrs?.name ?? ''), italic: true }], indent }]
    case 'embed':
      return [{ kind: 'text', runs: [{ text: String(node.attrs?.url ?? '') }], indent }]
    default:
      return (node.content ?? []).flatMap((child) =>
        blockOf(child, node.type === 'blockquote' ? indent + INDENT : indent),
      )
  }
}

function itemsOf(list: LessonNode, indent: number, markerOf: (index: number) => string): PrintedBlock[] {
  return (list.content ?? []).flatMap((item, index) =>
    (item.content ?? []).flatMap((child, place) =>
      blockOf(child, indent + INDENT, place === 0 ? markerOf(index) : undefined),
    ),
  )
}

/** The cells of a row on one line. */
function rowOf(row: LessonNode): TextRun[] {
  return (row.content ?? []).flatMap((cell, index) => {
    const runs = (cell.content ?? []).flatMap(runsOf)
    const bold = cell.type === 'tableHeader'
    return [...(index > 0 ? [{ text: '  |  ' }] : []), ...runs.map((run) => (bold ? { ...run, bold } : run))]
  })
}

function runsOf(node: LessonNode): TextRun[] {
  return (node.content ?? []).flatMap((child): TextRun[] => {
    if (child.type === 'hardBreak') return [{ text: '\n' }]
    if (child.type === 'inlineMath') return [formula(child, 'inline')]
    if (!child.text) return runsOf(child)
    const has = (type: string) => child.marks?.some((mark) => mark.type === type) ?? false
    return [{ text: child.text, ...(has('bold') ? { bold: true } : {}), ...(has('italic') ? { italic: true } : {}) }]
  })
}

const formula = (node: LessonNode, kind: 'inline' | 'block'): TextRun => ({
  text: String(node.attrs?.latex ?? ''),
  italic: true,
  formula: kind,
})

const nodeText = (node: LessonNode): string => node.text ?? (node.content ?? []).map(nodeText).join('')
