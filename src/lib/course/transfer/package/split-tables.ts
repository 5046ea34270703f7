import { MAX_ROW_CELLS, MAX_TABLE_ROWS } from '#lib/core/shared/lesson-doc.ts'
import type { Markup, MarkupElement } from '../markup.ts'

const PARTS = new Set(['thead', 'tbody', 'tfoot'])

/**
 * Converts a table to a form that a lesson can store without loss: captions and other content precede it, cells outside
 * rows form rows, tables of more than 200 rows are divided, cells beyond the twentieth are joined to it.
 */
export function splitTable(table: MarkupElement): Markup[] {
  const content: Markup[] = []
  const rows: MarkupElement[] = []
  let implicitRow: MarkupElement | null = null
  const walk = (nodes: readonly Markup[]) => {
    for (const node of nodes) {
      if (typeof node === 'string') {
        if (node.trim() !== '') content.push(markupParagraph([node]))
      } else if (node.name === 'tr') {
        implicitRow = null
        rows.push({ ...node, children: wrapCells(node.children) })
      } else if (node.name === 'td' || node.name === 'th') {
        if (!implicitRow) {
          implicitRow = { name: 'tr', attributes: {}, children: [] }
          rows.push(implicitRow)
        }
        implicitRow.children.push(node)
      } else if (PARTS.has(node.name)) walk(node.children)
      else if (node.name === 'caption') content.push(markupParagraph(node.children))
      else if (node.name !== 'colgroup' && node.name !== 'col') content.push(node)
    }
  }
  walk(table.children)
  const tables: MarkupElement[] = []
  for (let start = 0; start < rows.length; start += MAX_TABLE_ROWS) {
    tables.push({ ...table, children: rows.slice(start, start + MAX_TABLE_ROWS).map(joinExtraCells) })
  }
  return [...content, ...tables]
}

const markupParagraph = (children: Markup[]): MarkupElement => ({ name: 'div', attributes: {}, children })

const isCell = (node: Markup): node is MarkupElement =>
  typeof node !== 'string' && (node.name === 'td' || node.name === 'th')

/** Content between the cells of a row becomes a cell. */
function wrapCells(children: readonly Markup[]): Markup[] {
  return children.map((child) => {
    if (isCell(child) || (typeof child === 'string' && child.trim() === '')) return child
    return { name: 'td', attributes: {}, children: [child] }
  })
}

function joinExtraCells(row: MarkupElement): MarkupElement {
  const rowCells = row.children.filter(isCell)
  if (rowCells.length <= MAX_ROW_CELLS) return row
  const lastCells = rowCells.slice(MAX_ROW_CELLS - 1).flatMap((cell) => [markupParagraph(cell.children)])
  return {
    ...row,
    children: [...rowCells.slice(0, MAX_ROW_CELLS - 1), { name: 'td', attributes: {}, children: lastCells }],
  }
}
