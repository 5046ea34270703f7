import type { Editor } from '@tiptap/core'
import type { Node } from '@tiptap/pm/model'
import { diffArrays } from 'diff'
import type { LessonDoc } from '#lib/core/shared/lesson-doc.ts'

/**
 * Replaces the document of an editor that may be in use: only differing blocks are replaced, so that the cursor is
 * kept. Excluded from the undo history, and not emitted as a change.
 */
export function showDocument(editor: Editor, value: LessonDoc): void {
  const currentBlocks = [...editor.state.doc.children]
  const nextBlocks = [...editor.schema.nodeFromJSON(value).children]
  const { tr } = editor.state
  let position = 0
  let removedSize = 0
  let inserted: Node[] = []
  // Removal and insertion at one position are one step, so that a document is never empty in between.
  const replace = () => {
    if (removedSize > 0 || inserted.length > 0) tr.replaceWith(position, position + removedSize, inserted)
    position += sizeOf(inserted)
    removedSize = 0
    inserted = []
  }
  for (const { added, removed, value: blocks } of diffArrays(currentBlocks, nextBlocks, {
    comparator: (left, right) => left.eq(right),
  })) {
    if (removed) removedSize += sizeOf(blocks)
    else if (added) inserted.push(...blocks)
    else {
      replace()
      position += sizeOf(blocks)
    }
  }
  replace()
  if (tr.docChanged) editor.view.dispatch(tr.setMeta('addToHistory', false).setMeta('preventUpdate', true))
}

const sizeOf = (blocks: Node[]): number => blocks.reduce((size, { nodeSize }) => size + nodeSize, 0)
