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
            const onlyBlock = doc.childCount === 1 ? doc.firstChild : null
            if (onlyBlock?.type.name !== 'paragraph' || onlyBlock.childCount > 0) return null
            return DecorationSet.create(doc, [Decoration.node(0, onlyBlock.nodeSize, { 'data-hint': hint })])
          },
        },
      }),
    ],
  })
