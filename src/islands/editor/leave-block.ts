import type { Editor } from '@tiptap/core'
import type { ResolvedPos } from '@tiptap/pm/model'

/** Blocks with text that the arrow keys could not leave when nothing follows them. */
const CONTAINER_BLOCKS = new Set(['table', 'columns', 'callout', 'blockquote'])
/** Their children are side by side, not below each other. */
const HORIZONTAL_CONTAINERS = new Set(['tableRow', 'columns'])

/** In the last line of a block at the end of the text, moves the cursor down into a new paragraph after it. */
export function leaveLastBlock(editor: Editor): boolean {
  const { selection, doc } = editor.state
  const { $head } = selection
  if (!selection.empty || $head.depth < 2 || !CONTAINER_BLOCKS.has($head.node(1).type.name)) return false
  const after = $head.after(1)
  if (after !== doc.content.size || !isInLastLine($head) || !editor.view.endOfTextblock('down')) return false
  return editor
    .chain()
    .insertContentAt(after, { type: 'paragraph' })
    .setTextSelection(after + 1)
    .scrollIntoView()
    .run()
}

function isInLastLine($head: ResolvedPos): boolean {
  for (let depth = 1; depth < $head.depth; depth += 1) {
    const holder = $head.node(depth)
    if (HORIZONTAL_CONTAINERS.has(holder.type.name)) continue
    const cell = holder.type.name === 'table' ? $head.node(depth + 2) : null
    const rows = Number(cell?.attrs.rowspan ?? 1)
    if ($head.index(depth) + rows < holder.childCount) return false
  }
  return true
}
