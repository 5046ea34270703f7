import type { LessonNode } from '#lib/core/shared/lesson-doc.ts'
import { childrenOf, type MarkupElement } from './markup.ts'

const MAX_COLUMNS = 20
const MAX_ROWS = 200

/**
 * Converts an HTML table cell by cell; a table without cells yields no blocks. Columns above 20 and rows above 200 are
 * dropped.
 */
export function convertTable(table: MarkupElement, contentOf: (cell: MarkupElement) => LessonNode[]): LessonNode[] {
  const rows = tableRows(table).slice(0, MAX_ROWS)
  const content = rows.flatMap((row, index) => {
    const cells = [...cellsOf(row)].slice(0, MAX_COLUMNS)
    if (cells.length === 0) return []
    return [{ type: 'tableRow', content: cells.map((cell) => cellNode(cell, rows.length - index, contentOf)) }]
  })
  return content.length > 0 ? [{ type: 'table', content }] : []
}

function tableRows(table: MarkupElement): MarkupElement[] {
  const parts = ['thead', 'tbody', 'tfoot'].flatMap((part) => childrenOf(table, part))
  return [...childrenOf(table, 'tr'), ...parts.flatMap((part) => childrenOf(part, 'tr'))]
}

function* cellsOf(row: MarkupElement): Generator<MarkupElement> {
  for (const cell of row.children) {
    if (typeof cell !== 'string' && (cell.name === 'td' || cell.name === 'th')) yield cell
  }
}

function cellNode(cell: MarkupElement, rowsLeft: number, contentOf: (cell: MarkupElement) => LessonNode[]): LessonNode {
  const span = (name: string, max: number) => Math.min(max, Math.max(1, Math.trunc(Number(cell.attributes[name])) || 1))
  const attrs = { colspan: span('colspan', MAX_COLUMNS), rowspan: span('rowspan', rowsLeft) }
  const spans = attrs.colspan > 1 || attrs.rowspan > 1 ? { attrs } : {}
  return { type: cell.name === 'th' ? 'tableHeader' : 'tableCell', ...spans, content: contentOf(cell) }
}
