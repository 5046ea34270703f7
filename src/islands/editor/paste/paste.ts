import type { Editor } from '@tiptap/core'
import { type Embed, parseEmbed } from '#lib/core/shared/embed.ts'
import { insertBlock } from '../blocks/block-commands.ts'
import { insertFiles } from '../blocks/upload-blocks.ts'
import type { EditorContext } from '../editor-context.ts'
import { parseClipboard } from './parse-clipboard.ts'

/** What another site offers to be shown: an address, or the code of its frame. */
export function parsePastedEmbed(text: string): Embed | null {
  const frame = /^<iframe\s[^>]*?\bsrc=["']([^"']+)["']/i.exec(text.trim())?.[1]
  return parseEmbed((frame ?? text).replaceAll('&amp;', '&'))
}

/**
 * Takes what a plain paste would lose: a video's address alone becomes the video, files go to the storage. False leaves
 * the paste to the editor.
 */
export function handlePaste(editor: Editor, context: EditorContext, data: DataTransfer | null): boolean {
  if (!data) return false
  const text = data.getData('text/plain').trim()
  const embed =
    context.lesson &&
    editor.state.selection.empty &&
    !/\s/.test(text.replace(/^<iframe[\s\S]*$/i, '')) &&
    parsePastedEmbed(text)
  if (embed && editor.isActive('codeBlock') === false) {
    insertBlock(editor, { type: 'embed', attrs: { url: embed.url, title: '' } })
    return true
  }
  // Word lays a picture of the words beside them: where there are words, they are what was meant.
  if (hasText(data.getData('text/html')) || text) return false
  return handleFiles(editor, context, data)
}

/** Files of a paste or a drop; `at` is where they were dropped. False: there are none, or none may stand here. */
export function handleFiles(
  editor: Editor,
  context: EditorContext,
  data: DataTransfer | null,
  position?: number,
): boolean {
  const files = [...(data?.files ?? [])]
  if (files.length === 0) return false
  // Without the file library the event is handled too: otherwise the browser would open the file instead of the page.
  if (context.files) insertFiles(editor, files, position)
  return true
}

function hasText(html: string): boolean {
  return (parseClipboard(html).textContent ?? '').trim() !== ''
}
