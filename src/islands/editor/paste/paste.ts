import type { Editor } from '@tiptap/core'
import { type Embed, parseEmbed } from '#lib/core/shared/embed.ts'
import { insertBlock } from '../blocks/block-commands.ts'
import { insertFiles } from '../blocks/upload-blocks.ts'
import type { EditorContext } from '../editor-context.ts'
import { parseClipboard } from './parse-clipboard.ts'

/** Parses content of another site: a URL, or the code of a frame. */
export function parsePastedEmbed(text: string): Embed | null {
  const frame = /^<iframe\s[^>]*?\bsrc=["']([^"']+)["']/i.exec(text.trim())?.[1]
  return parseEmbed((frame ?? text).replaceAll('&amp;', '&'))
}

/**
 * Handles content that a plain paste would lose: the URL of a video becomes the video, files are uploaded to the
 * storage. Returns false to leave the paste to the editor.
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
  // Word adds an image of the text to the clipboard: with text, the image is ignored.
  if (hasText(data.getData('text/html')) || text) return false
  return handleFiles(editor, context, data)
}

/**
 * Handles the files of a paste or a drop; `at` is the drop position. False when there are no files, or none are allowed
 * here.
 */
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
