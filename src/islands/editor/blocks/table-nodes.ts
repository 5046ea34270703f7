import { mergeAttributes, Node } from '@tiptap/core'
import { addRowAfter, goToNextCell, tableEditing } from '@tiptap/pm/tables'

const Table = Node.create({
  name: 'table',
  group: 'block',
  content: 'tableRow+',
  isolating: true,
  extendNodeSchema: (extension) => (extension.name === 'table' ? { tableRole: 'table' } : {}),
  parseHTML: () => [{ tag: 'table' }],
  renderHTML: () => ['div', { class: 'table-scroll' }, ['table', ['tbody', 0]]],
  addProseMirrorPlugins: () => [tableEditing()],
  addKeyboardShortcuts() {
    const { editor } = this
    const next = () => goToNextCell(1)(editor.state, editor.view.dispatch)
    return {
      Tab: () => {
        if (!editor.isActive('table')) return false
        return next() || (addRowAfter(editor.state, editor.view.dispatch) && next())
      },
      'Shift-Tab': () => editor.isActive('table') && goToNextCell(-1)(editor.state, editor.view.dispatch),
    }
  },
})

const TableRow = Node.create({
  name: 'tableRow',
  content: '(tableCell | tableHeader)*',
  extendNodeSchema: (extension) => (extension.name === 'tableRow' ? { tableRole: 'row' } : {}),
  parseHTML: () => [{ tag: 'tr' }],
  renderHTML: ({ HTMLAttributes }) => ['tr', HTMLAttributes, 0],
})

function tableCell(name: 'tableHeader' | 'tableCell', tag: 'th' | 'td') {
  const role = name === 'tableHeader' ? 'header_cell' : 'cell'
  return Node.create({
    name,
    content: 'block+',
    isolating: true,
    addAttributes: () => ({
      colspan: { default: 1 },
      rowspan: { default: 1 },
      // Column widths are determined by the content; widths of other programs are ignored.
      colwidth: { default: null, parseHTML: () => null },
    }),
    extendNodeSchema: (extension) => (extension.name === name ? { tableRole: role } : {}),
    parseHTML: () => [{ tag }],
    renderHTML: ({ HTMLAttributes: { colwidth: _, ...attributes } }) => [tag, mergeAttributes(attributes), 0],
  })
}

export const tableNodes = [Table, TableRow, tableCell('tableHeader', 'th'), tableCell('tableCell', 'td')]

/** Three columns: a row of headings and two of cells. The Tab key adds more. */
export function emptyTable() {
  const row = (type: string) => ({
    type: 'tableRow',
    content: Array.from({ length: 3 }, () => ({ type, content: [{ type: 'paragraph' }] })),
  })
  return { type: 'table', content: [row('tableHeader'), row('tableCell'), row('tableCell')] }
}
