import type { Editor } from '@tiptap/core'
import { findStored, hasArrived, type StoredFile } from '#islands/picker/arrival.ts'
import { subscribe } from '#islands/stores/live.ts'
import { $uploads } from '#islands/stores/upload/upload-list.ts'
import { addFiles, lookForUnfinished, pickAgain } from '#islands/stores/upload/uploads.ts'
import { type LessonNode, srcOf } from '#lib/core/shared/lesson-doc.ts'
import { insertBlock } from './block-acts.ts'

const AGAIN_MS = 5000

/** The block that shows a stored file; without `films`, those are files to take along. */
export function blockOf({ id, kind, name, mime }: StoredFile, films = true): LessonNode {
  if (kind === 'image') return { type: 'image', attrs: { src: srcOf(id), alt: '' } }
  if (films && (kind === 'video' || kind === 'audio')) return { type: kind, attrs: { fileId: id } }
  return { type: mime === 'application/pdf' ? 'pdf' : 'file', attrs: { fileId: id, name } }
}

/** Sends files to the storage by the tray; each has its place in the text at once, at `at` or where the cursor is. */
export function insertFiles(editor: Editor, files: readonly File[], at?: number): void {
  const keys = addFiles(files.map((file) => ({ file })))
  for (const [index, file] of files.entries()) {
    const attrs = { key: keys[index] ?? '', fileId: null, name: nameOf(file) }
    insertBlock(editor, { type: 'upload', attrs }, index === 0 ? at : undefined)
  }
}

const nameOf = ({ name }: File): string =>
  name
    .toWellFormed()
    .replace(/\p{Cc}/gu, '')
    .slice(0, 200)
    .toWellFormed()
    .trim() || '?'

/** The same file again, after a page that left too early. */
export function againFor(editor: Editor, place: number, file: File): void {
  const { fileId } = editor.state.doc.nodeAt(place)?.attrs ?? {}
  const lost = $uploads.get().find((one) => fileId && one.fileId === fileId && one.step === 'lost')
  const key = lost?.id ?? addFiles([{ file }])[0]
  if (lost) void pickAgain(lost.id, file)
  set(editor, place, { key, fileId: lost?.fileId ?? null, name: nameOf(file) })
}

/**
 * Follows the uploads of a text as long as it is open: notes the file's id as soon as it has one, so that a later page
 * finds it, and puts the file's block in the place when it has arrived, whoever sent it. Answers how to stop.
 */
export function followUploads(editor: Editor, films: boolean): () => void {
  const asked = new Set<string>()
  const look = () => {
    for (const { place, key, fileId } of waitingIn(editor)) {
      const uploads = $uploads.get()
      const upload = uploads.find((one) => one.id === key)
      if (upload?.fileId && upload.fileId !== fileId) {
        set(editor, place, { fileId: upload.fileId })
        return look()
      }
      const id = upload?.fileId ?? fileId
      if (id && (!upload || hasArrived(upload)) && !asked.has(id)) {
        asked.add(id)
        arrive(editor, id, films).catch(() => setTimeout(() => asked.delete(id) && look(), AGAIN_MS))
      }
    }
  }
  if (waitingIn(editor).length > 0) void lookForUnfinished()
  const quiet = $uploads.listen(look)
  const heard = subscribe<{ fileId: string | null }>('storage', ({ fileId }) => {
    if (!fileId || !waitingIn(editor).some((one) => one.fileId === fileId)) return
    asked.delete(fileId)
    look()
  })
  // Another text may have taken this one's place, with places of its own.
  const changed = ({ transaction }: { transaction: { docChanged: boolean } }) => transaction.docChanged && look()
  editor.on('transaction', changed)
  look()
  return () => {
    editor.off('transaction', changed)
    quiet()
    heard()
  }
}

interface Waiting {
  place: number
  key: string
  fileId: string | null
}

function waitingIn(editor: Editor): Waiting[] {
  const found: Waiting[] = []
  if (editor.isDestroyed) return found
  editor.state.doc.forEach((node, place) => {
    if (node.type.name === 'upload') found.push({ place, key: node.attrs.key, fileId: node.attrs.fileId })
  })
  return found
}

async function arrive(editor: Editor, fileId: string, films: boolean): Promise<void> {
  const file = await findStored(fileId)
  if (!file) return
  for (const waiting of waitingIn(editor).toReversed()) {
    if (waiting.fileId !== fileId) continue
    const block = editor.schema.nodeFromJSON(blockOf(file, films))
    // No step of the author's own: taking it back would bring the empty place again.
    editor.view.dispatch(
      editor.state.tr.replaceWith(waiting.place, waiting.place + 1, block).setMeta('addToHistory', false),
    )
  }
}

function set(editor: Editor, place: number, change: Record<string, unknown>): void {
  const node = editor.state.doc.nodeAt(place)
  if (node?.type.name !== 'upload') return
  const attrs = { ...node.attrs, ...change }
  editor.view.dispatch(editor.state.tr.setNodeMarkup(place, null, attrs).setMeta('addToHistory', false))
}
