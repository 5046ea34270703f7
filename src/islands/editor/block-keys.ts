import { Extension } from '@tiptap/core'
import { duplicateBlock, moveBlock } from './block-acts.ts'

/** What the keyboard does with the block in which the cursor stands. */
export const BlockKeys = Extension.create({
  name: 'blockKeys',
  priority: 200,
  addKeyboardShortcuts() {
    return {
      'Alt-Shift-ArrowUp': ({ editor }) => moveBlock(editor, -1),
      'Alt-Shift-ArrowDown': ({ editor }) => moveBlock(editor, 1),
      'Mod-Shift-d': ({ editor }) => duplicateBlock(editor),
    }
  },
})
