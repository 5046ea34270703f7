import { Extension } from '@tiptap/core'
import { Plugin } from '@tiptap/pm/state'
import { Decoration, DecorationSet } from '@tiptap/pm/view'

/** Shows a hint in a text that consists of one empty paragraph. */
export const emptyHint = (hint: string) =>
  Extension.create({
    name: 'emptyHint',
    addProseMirrorPlugins: () => [
      new Plugin({
        props: {
          decorations: ({ doc }) => {
            const only = doc.childCount === 1 ? doc.firstChild : null
            if (only?.type.name !== 'paragraph' || only.childCount > 0) return null
            return DecorationSet.create(doc, [Decoration.node(0, only.nodeSize, { 'data-hint': hint })])
          },
        },
      }),
    ],
  })
