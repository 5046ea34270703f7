import type { Editor } from '@tiptap/core'
import type { Node } from '@tiptap/pm/model'
import { diffArrays } from 'diff'
import type { LessonDoc } from '#lib/core/shared/lesson-doc.ts'

/**
 * Puts another document into an editor that somebody may be writing in: only blocks that differ are replaced, so that
 * the cursor stays where it is. It is no step to be undone and is not given out as a change.
 */
export function showDocument(editor: Editor, value: LessonDoc): void {
  const now = [...editor.state.doc.children]
  const next = [...editor.schema.nodeFromJSON(value).children]
  const { tr } = editor.state
  let place = 0
  let gone = 0
  let come: Node[] = []
  // What goes and what comes in one place is one step: a document is never empty in between.
  const replace = () => {
    if (gone > 0 || come.length > 0) tr.replaceWith(place, place + gone, come)
    place += sizeOf(come)
    gone = 0
    come = []
  }
  for (const { added, removed, value: blocks } of diffArrays(now, next, {
    comparator: (one, other) => one.eq(other),
  })) {
    if (removed) gone += sizeOf(blocks)
    else if (added) come.push(...blocks)
    else {
      replace()
      place += sizeOf(blocks)
    }
  }
  replace()
  if (tr.docChanged) editor.view.dispatch(tr.setMeta('addToHistory', false).setMeta('preventUpdate', true))
}

const sizeOf = (blocks: Node[]): number => blocks.reduce((size, { nodeSize }) => size + nodeSize, 0)
