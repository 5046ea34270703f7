import type { Editor } from '@tiptap/core'
import { findStoredFile, isStored, type PickedFile } from '#islands/picker/stored-file.ts'
import { subscribe } from '#islands/stores/live.ts'
import { $uploads } from '#islands/stores/upload/upload-list.ts'
import { addFiles, findUnfinished, resumeWithFile } from '#islands/stores/upload/uploads.ts'
import { type LessonNode, srcOf } from '#lib/core/shared/lesson-doc.ts'
import { insertBlock } from './block-commands.ts'

const RETRY_MS = 5000

/** The block for a stored file; without `videos`, videos and audio files become file blocks. */
export function blockForFile({ id, kind, name, mime }: PickedFile, allowsMedia = true): LessonNode {
  if (kind === 'image') return { type: 'image', attrs: { src: srcOf(id), alt: '' } }
  if (allowsMedia && (kind === 'video' || kind === 'audio')) return { type: kind, attrs: { fileId: id } }
  return { type: mime === 'application/pdf' ? 'pdf' : 'file', attrs: { fileId: id, name } }
}

/**
 * Uploads files to the storage by the tray; each one immediately gets a placeholder in the text, at `at` or at the
 * cursor.
 */
export function insertFiles(editor: Editor, files: readonly File[], position?: number): void {
  const keys = addFiles(files.map((file) => ({ file })))
  for (const [index, file] of files.entries()) {
    const attrs = { key: keys[index] ?? '', fileId: null, name: fileName(file) }
    insertBlock(editor, { type: 'upload', attrs }, index === 0 ? position : undefined)
  }
}

const fileName = ({ name }: File): string =>
  name
    .toWellFormed()
    .replace(/\p{Cc}/gu, '')
    .slice(0, 200)
    .toWellFormed()
    .trim() || '?'

/** Uploads the same file again, when the page was closed too early. */
export function restartUpload(editor: Editor, position: number, file: File): void {
  const { fileId } = editor.state.doc.nodeAt(position)?.attrs ?? {}
  const lostUpload = $uploads.get().find((upload) => fileId && upload.fileId === fileId && upload.step === 'lost')
  const key = lostUpload?.id ?? addFiles([{ file }])[0]
  if (lostUpload) void resumeWithFile(lostUpload.id, file)
  updateUploadBlock(editor, position, { key, fileId: lostUpload?.fileId ?? null, name: fileName(file) })
}

/**
 * Observes the uploads of a text while it is open: stores the file's id as soon as it is known, so that a later page
 * can find it, and replaces the placeholder by the file's block when the upload is complete, regardless of the tab.
 * Returns a function that stops it.
 */
export function followUploads(editor: Editor, allowsMedia: boolean): () => void {
  const requestedIds = new Set<string>()
  const checkUploads = () => {
    for (const { position, key, fileId } of findUploadBlocks(editor)) {
      const uploads = $uploads.get()
      const upload = uploads.find((item) => item.id === key)
      if (upload?.fileId && upload.fileId !== fileId) {
        updateUploadBlock(editor, position, { fileId: upload.fileId })
        return checkUploads()
      }
      const id = upload?.fileId ?? fileId
      if (id && (!upload || isStored(upload)) && !requestedIds.has(id)) {
        requestedIds.add(id)
        replaceUploadBlocks(editor, id, allowsMedia).catch(() =>
          setTimeout(() => requestedIds.delete(id) && checkUploads(), RETRY_MS),
        )
      }
    }
  }
  if (findUploadBlocks(editor).length > 0) void findUnfinished()
  const stopListening = $uploads.listen(checkUploads)
  const unsubscribe = subscribe<{ fileId: string | null }>('storage', ({ fileId }) => {
    if (!fileId || !findUploadBlocks(editor).some((item) => item.fileId === fileId)) return
    requestedIds.delete(fileId)
    checkUploads()
  })
  // The content may have been replaced by a text with other placeholders.
  const onTransaction = ({ transaction }: { transaction: { docChanged: boolean } }) =>
    transaction.docChanged && checkUploads()
  editor.on('transaction', onTransaction)
  checkUploads()
  return () => {
    editor.off('transaction', onTransaction)
    stopListening()
    unsubscribe()
  }
}

interface UploadBlock {
  position: number
  key: string
  fileId: string | null
}

function findUploadBlocks(editor: Editor): UploadBlock[] {
  const blocks: UploadBlock[] = []
  if (editor.isDestroyed) return blocks
  editor.state.doc.forEach((node, place) => {
    if (node.type.name === 'upload') blocks.push({ position: place, key: node.attrs.key, fileId: node.attrs.fileId })
  })
  return blocks
}

async function replaceUploadBlocks(editor: Editor, fileId: string, allowsMedia: boolean): Promise<void> {
  const file = await findStoredFile(fileId)
  if (!file) return
  for (const block of findUploadBlocks(editor).toReversed()) {
    if (block.fileId !== fileId) continue
    const node = editor.schema.nodeFromJSON(blockForFile(file, allowsMedia))
    // Excluded from the undo history: undoing it would restore the empty placeholder.
    editor.view.dispatch(
      editor.state.tr.replaceWith(block.position, block.position + 1, node).setMeta('addToHistory', false),
    )
  }
}

function updateUploadBlock(editor: Editor, position: number, change: Record<string, unknown>): void {
  const node = editor.state.doc.nodeAt(position)
  if (node?.type.name !== 'upload') return
  const attrs = { ...node.attrs, ...change }
  editor.view.dispatch(editor.state.tr.setNodeMarkup(position, null, attrs).setMeta('addToHistory', false))
}
