import { MOST_CELLS, MOST_ROWS } from '#lib/core/shared/lesson-doc.ts'
import type { Markup, MarkupElement } from '../markup.ts'

const PARTS = new Set(['thead', 'tbody', 'tfoot'])

/**
 * A table that a lesson can hold without a loss: captions and other content before it, rows made of stray cells, tables
 * of more than 200 rows divided, cells beyond the twentieth joined to it.
 */
export function tablesOf(table: MarkupElement): Markup[] {
  const before: Markup[] = []
  const rows: MarkupElement[] = []
  let stray: MarkupElement | null = null
  const walk = (nodes: readonly Markup[]) => {
    for (const node of nodes) {
      if (typeof node === 'string') {
        if (node.trim() !== '') before.push(paragraph([node]))
      } else if (node.name === 'tr') {
        stray = null
        rows.push({ ...node, children: cells(node.children) })
      } else if (node.name === 'td' || node.name === 'th') {
        if (!stray) {
          stray = { name: 'tr', attributes: {}, children: [] }
          rows.push(stray)
        }
        stray.children.push(node)
      } else if (PARTS.has(node.name)) walk(node.children)
      else if (node.name === 'caption') before.push(paragraph(node.children))
      else if (node.name !== 'colgroup' && node.name !== 'col') before.push(node)
    }
  }
  walk(table.children)
  const parts: MarkupElement[] = []
  for (let at = 0; at < rows.length; at += MOST_ROWS) {
    parts.push({ ...table, children: rows.slice(at, at + MOST_ROWS).map(narrow) })
  }
  return [...before, ...parts]
}

const paragraph = (children: Markup[]): MarkupElement => ({ name: 'div', attributes: {}, children })

const isCell = (node: Markup): node is MarkupElement =>
  typeof node !== 'string' && (node.name === 'td' || node.name === 'th')

/** What stands between the cells of a row becomes a cell. */
function cells(children: readonly Markup[]): Markup[] {
  return children.map((child) => {
    if (isCell(child) || (typeof child === 'string' && child.trim() === '')) return child
    return { name: 'td', attributes: {}, children: [child] }
  })
}

function narrow(row: MarkupElement): MarkupElement {
  const own = row.children.filter(isCell)
  if (own.length <= MOST_CELLS) return row
  const last = own.slice(MOST_CELLS - 1).flatMap((cell) => [paragraph(cell.children)])
  return { ...row, children: [...own.slice(0, MOST_CELLS - 1), { name: 'td', attributes: {}, children: last }] }
}
