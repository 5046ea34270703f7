import type { Editor } from '@tiptap/core'
import type { Node, ResolvedPos, Schema } from '@tiptap/pm/model'
import { NodeSelection, Selection, TextSelection, type Transaction } from '@tiptap/pm/state'
import type { LessonNode } from '#lib/core/shared/lesson-doc.ts'

/** A block that stands directly in the document. */
export interface Place {
  index: number
  from: number
  to: number
}

/** The block in which the selection begins; null in an empty document. */
export function blockAtSelection({ state }: Editor): Place | null {
  return placeAt(state.doc.resolve(state.selection.from).index(0), state.doc)
}

export function placeAt(index: number, doc: Editor['state']['doc']): Place | null {
  if (index < 0 || index >= doc.childCount) return null
  let from = 0
  for (let before = 0; before < index; before++) from += doc.child(before).nodeSize
  return { index, from, to: from + doc.child(index).nodeSize }
}

/** Changes places with the neighbour. False at the edge: then the key does what it does elsewhere. */
export function moveBlock(editor: Editor, by: -1 | 1, place = blockAtSelection(editor)): boolean {
  const { state } = editor
  const other = place && placeAt(place.index + by, state.doc)
  if (!place || !other) return false
  const block = state.doc.child(place.index)
  const { anchor, head } = state.selection
  const inside = anchor >= place.from && head <= place.to
  const target = by < 0 ? other.from : place.from + (other.to - other.from)
  const tr = state.tr.delete(place.from, place.to).insert(target, block)
  if (inside) select(tr, state.selection, target - place.from)
  editor.view.dispatch(tr.scrollIntoView())
  return true
}

function select(tr: Transaction, { anchor, head, ...before }: Selection, by: number): void {
  const node = 'node' in before
  tr.setSelection(
    node ? NodeSelection.create(tr.doc, anchor + by) : TextSelection.create(tr.doc, anchor + by, head + by),
  )
}

export function duplicateBlock(editor: Editor, place = blockAtSelection(editor)): boolean {
  // A task is one thing with its own hand-ins, and an upload arrives once: neither has a second place.
  const block = place && editor.state.doc.child(place.index)
  if (!place || !block || block.type.name === 'task' || block.type.name === 'upload') return false
  const tr = editor.state.tr.insert(place.to, block)
  editor.view.dispatch(tr.setSelection(Selection.near(tr.doc.resolve(place.to + 1))).scrollIntoView())
  return true
}

export function deleteBlock(editor: Editor, place = blockAtSelection(editor)): boolean {
  if (!place) return false
  const { tr, schema, doc } = editor.state
  if (doc.childCount === 1) tr.replaceWith(place.from, place.to, paragraphOf(schema))
  else tr.delete(place.from, place.to)
  tr.setSelection(Selection.near(tr.doc.resolve(Math.min(place.from, tr.doc.content.size)), -1))
  editor.view.dispatch(tr.scrollIntoView())
  return true
}

/**
 * Puts a block where the cursor is: in the place of an empty paragraph, otherwise behind the innermost block that may
 * have it as a neighbour. `at` is a position in the document instead of the cursor. The cursor goes on behind it, or
 * into its text.
 */
export function insertBlock(editor: Editor, block: LessonNode, at?: number): void {
  const { state, view } = editor
  const node = state.schema.nodeFromJSON(block)
  const found = roomFor(node, state.doc.resolve(at ?? state.selection.to))
  if (!found) return
  const tr = state.tr.replaceWith(found.from, found.to, node)
  const after = found.from + node.nodeSize
  // Behind the last block there would be no place to write.
  if (node.isAtom && !tr.doc.resolve(after).nodeAfter) tr.insert(after, paragraphOf(state.schema))
  const inside = node.isAtom || node.type.name === 'gallery' ? after : found.from + 1
  view.dispatch(tr.setSelection(Selection.near(tr.doc.resolve(inside))).scrollIntoView())
  view.focus()
}

/** From the cursor outwards: the first empty paragraph to take the place of, or gap to go into. */
function roomFor(node: Node, $at: ResolvedPos): { from: number; to: number } | null {
  for (let depth = $at.depth; depth >= 0; depth--) {
    const parent = $at.node(depth)
    if (parent.isTextblock) continue
    const index = $at.index(depth)
    if (depth === $at.depth) {
      if (parent.canReplaceWith(index, index, node.type)) return { from: $at.pos, to: $at.pos }
      continue
    }
    const child = parent.child(index)
    const around = { from: $at.before(depth + 1), to: $at.after(depth + 1) }
    const empty = child.type.name === 'paragraph' && child.content.size === 0
    if (empty && parent.canReplaceWith(index, index + 1, node.type)) return around
    if (parent.canReplaceWith(index + 1, index + 1, node.type)) return { from: around.to, to: around.to }
  }
  return null
}

function paragraphOf(schema: Schema): Node {
  return schema.node('paragraph')
}
