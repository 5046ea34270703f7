import type { Editor } from '@tiptap/core'
import { type Embed, embedOf } from '#lib/core/shared/embed.ts'
import { insertBlock } from '../blocks/block-acts.ts'
import { insertFiles } from '../blocks/upload-blocks.ts'
import type { Desk } from '../desk.ts'

/** What another site offers to be shown: an address, or the code of its frame. */
export function embedIn(text: string): Embed | null {
  const frame = /^<iframe\s[^>]*?\bsrc=["']([^"']+)["']/i.exec(text.trim())?.[1]
  return embedOf((frame ?? text).replaceAll('&amp;', '&'))
}

/**
 * Takes what a plain paste would lose: a film's address alone becomes the film, files go to the storage. False leaves
 * the paste to the editor.
 */
export function takePaste(editor: Editor, desk: Desk, data: DataTransfer | null): boolean {
  if (!data) return false
  const text = data.getData('text/plain').trim()
  const found =
    desk.lesson && editor.state.selection.empty && !/\s/.test(text.replace(/^<iframe[\s\S]*$/i, '')) && embedIn(text)
  if (found && editor.isActive('codeBlock') === false) {
    insertBlock(editor, { type: 'embed', attrs: { url: found.url, title: '' } })
    return true
  }
  // Word lays a picture of the words beside them: where there are words, they are what was meant.
  if (hasWords(data.getData('text/html')) || text) return false
  return takeFiles(editor, desk, data)
}

/** Files of a paste or a drop; `at` is where they were dropped. False: there are none, or none may stand here. */
export function takeFiles(editor: Editor, desk: Desk, data: DataTransfer | null, at?: number): boolean {
  const files = [...(data?.files ?? [])]
  if (files.length === 0) return false
  // Without the storage they are still taken: the browser would open the file in the place of the page.
  if (desk.files) insertFiles(editor, files, at)
  return true
}

function hasWords(html: string): boolean {
  if (!html) return false
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  for (const hidden of body.querySelectorAll('style, script')) hidden.remove()
  return (body.textContent ?? '').trim() !== ''
}
