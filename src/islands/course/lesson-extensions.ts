import { mergeAttributes, Node } from '@tiptap/core'
import { TaskItem, TaskList } from '@tiptap/extension-list'
import { addRowAfter, goToNextCell, tableEditing } from '@tiptap/pm/tables'
import StarterKit from '@tiptap/starter-kit'
import { isSafeHref } from '#lib/course/schema.ts'

/** The nodes and marks of a lesson: exactly those that the schema of LessonDoc lets in. */
export function lessonExtensions(words: { done: string }) {
  return [
    StarterKit.configure({
      heading: { levels: [2, 3, 4] },
      link: {
        openOnClick: false,
        isAllowedUri: (url) => isSafeHref(url),
        HTMLAttributes: { target: null, rel: null, class: null },
      },
      // It would change the text of a lesson as soon as the lesson is opened.
      trailingNode: false,
    }),
    TaskList,
    TaskItem.configure({ nested: true, a11y: { checkboxLabel: () => words.done } }),
    Image,
    Table,
    TableRow,
    tableCell('tableHeader', 'th'),
    tableCell('tableCell', 'td'),
  ]
}

const Image = Node.create({
  name: 'image',
  group: 'block',
  atom: true,
  draggable: true,
  addAttributes: () => ({ src: { default: null }, alt: { default: '' } }),
  // A picture pasted from elsewhere has no file here: only those of the school's storage are taken.
  parseHTML: () => [{ tag: 'img[src^="/v1/file/"]' }],
  renderHTML: ({ HTMLAttributes }) => ['img', HTMLAttributes],
})

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
    addAttributes: () => ({ colspan: { default: 1 }, rowspan: { default: 1 }, colwidth: { default: null } }),
    extendNodeSchema: (extension) => (extension.name === name ? { tableRole: role } : {}),
    parseHTML: () => [{ tag }],
    renderHTML: ({ HTMLAttributes: { colwidth: _, ...shown } }) => [tag, mergeAttributes(shown), 0],
  })
}
