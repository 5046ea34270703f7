import { Extension } from '@tiptap/core'
import { leaveLastBlock } from '../leave-block.ts'
import { duplicateBlock, moveBlock } from './block-commands.ts'

/** Shortcuts for the block at the cursor. */
export const BlockKeys = Extension.create({
  name: 'blockKeys',
  priority: 200,
  addKeyboardShortcuts() {
    return {
      ArrowDown: ({ editor }) => leaveLastBlock(editor),
      'Alt-Shift-ArrowUp': ({ editor }) => moveBlock(editor, -1),
      'Alt-Shift-ArrowDown': ({ editor }) => moveBlock(editor, 1),
      'Mod-Shift-d': ({ editor }) => duplicateBlock(editor),
    }
  },
})
