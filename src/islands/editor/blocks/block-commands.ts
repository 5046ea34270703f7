import type { Editor } from '@tiptap/core'
import type { Node, ResolvedPos, Schema } from '@tiptap/pm/model'
import { NodeSelection, Selection, TextSelection, type Transaction } from '@tiptap/pm/state'
import type { LessonNode } from '#lib/core/shared/lesson-doc.ts'

/** Range of a top-level block. */
export interface BlockRange {
  index: number
  from: number
  to: number
}

/** The top-level block at the start of the selection; null in an empty document. */
function blockAtSelection({ state }: Editor): BlockRange | null {
  return blockAt(state.doc.resolve(state.selection.from).index(0), state.doc)
}

export function blockAt(index: number, doc: Editor['state']['doc']): BlockRange | null {
  if (index < 0 || index >= doc.childCount) return null
  let from = 0
  for (let before = 0; before < index; before++) from += doc.child(before).nodeSize
  return { index, from, to: from + doc.child(index).nodeSize }
}

/** Swaps a block with the previous or next one. False at the edge, so that the key keeps its default. */
export function moveBlock(editor: Editor, direction: -1 | 1, block = blockAtSelection(editor)): boolean {
  const { state } = editor
  const adjacent = block && blockAt(block.index + direction, state.doc)
  if (!block || !adjacent) return false
  const node = state.doc.child(block.index)
  const { anchor, head } = state.selection
  const isSelectionInside = anchor >= block.from && head <= block.to
  const target = direction < 0 ? adjacent.from : block.from + (adjacent.to - adjacent.from)
  const tr = state.tr.delete(block.from, block.to).insert(target, node)
  if (isSelectionInside) shiftSelection(tr, state.selection, target - block.from)
  editor.view.dispatch(tr.scrollIntoView())
  return true
}

function shiftSelection(tr: Transaction, { anchor, head, ...before }: Selection, offset: number): void {
  const node = 'node' in before
  tr.setSelection(
    node ? NodeSelection.create(tr.doc, anchor + offset) : TextSelection.create(tr.doc, anchor + offset, head + offset),
  )
}

export function duplicateBlock(editor: Editor, range = blockAtSelection(editor)): boolean {
  // A task has its own submissions and an upload completes once: neither can be duplicated.
  const block = range && editor.state.doc.child(range.index)
  if (!range || !block || block.type.name === 'task' || block.type.name === 'upload') return false
  const tr = editor.state.tr.insert(range.to, block)
  editor.view.dispatch(tr.setSelection(Selection.near(tr.doc.resolve(range.to + 1))).scrollIntoView())
  return true
}

export function deleteBlock(editor: Editor, range = blockAtSelection(editor)): boolean {
  if (!range) return false
  const { tr, schema, doc } = editor.state
  if (doc.childCount === 1) tr.replaceWith(range.from, range.to, createParagraph(schema))
  else tr.delete(range.from, range.to)
  tr.setSelection(Selection.near(tr.doc.resolve(Math.min(range.from, tr.doc.content.size)), -1))
  editor.view.dispatch(tr.scrollIntoView())
  return true
}

/**
 * Inserts a block at the cursor: replaces an empty paragraph, otherwise after the innermost block that allows it.
 * `position` replaces the cursor. The cursor moves after the block, or into its text.
 */
export function insertBlock(editor: Editor, block: LessonNode, position?: number): void {
  const { state, view } = editor
  const node = state.schema.nodeFromJSON(block)
  const range = findInsertRange(node, state.doc.resolve(position ?? state.selection.to))
  if (!range) return
  const tr = state.tr.replaceWith(range.from, range.to, node)
  const after = range.from + node.nodeSize
  // Without a paragraph after it, no text could be entered after the last block.
  if (node.isAtom && !tr.doc.resolve(after).nodeAfter) tr.insert(after, createParagraph(state.schema))
  const cursor = node.isAtom || node.type.name === 'gallery' ? after : range.from + 1
  view.dispatch(tr.setSelection(Selection.near(tr.doc.resolve(cursor))).scrollIntoView())
  view.focus()
}

/** Searches outwards from the cursor for an empty paragraph or a gap that accepts the node. */
function findInsertRange(node: Node, $at: ResolvedPos): { from: number; to: number } | null {
  for (let depth = $at.depth; depth >= 0; depth--) {
    const parent = $at.node(depth)
    if (parent.isTextblock) continue
    const index = $at.index(depth)
    if (depth === $at.depth) {
      if (parent.canReplaceWith(index, index, node.type)) return { from: $at.pos, to: $at.pos }
      continue
    }
    const child = parent.child(index)
    const childRange = { from: $at.before(depth + 1), to: $at.after(depth + 1) }
    const isEmpty = child.type.name === 'paragraph' && child.content.size === 0
    if (isEmpty && parent.canReplaceWith(index, index + 1, node.type)) return childRange
    if (parent.canReplaceWith(index + 1, index + 1, node.type)) return { from: childRange.to, to: childRange.to }
  }
  return null
}

function createParagraph(schema: Schema): Node {
  return schema.node('paragraph')
}
