import type { Editor } from '@tiptap/core'
import { findStoredFile, isStored, type StoredFile } from '#islands/picker/stored-file.ts'
import { subscribe } from '#islands/stores/live.ts'
import { $uploads } from '#islands/stores/upload/upload-list.ts'
import { addFiles, findUnfinished, resumeWithFile } from '#islands/stores/upload/uploads.ts'
import { type LessonNode, srcOf } from '#lib/core/shared/lesson-doc.ts'
import { insertBlock } from './block-commands.ts'

const RETRY_MS = 5000

/** The block that shows a stored file; without `videos`, those are files to take along. */
export function blockForFile({ id, kind, name, mime }: StoredFile, allowsMedia = true): LessonNode {
  if (kind === 'image') return { type: 'image', attrs: { src: srcOf(id), alt: '' } }
  if (allowsMedia && (kind === 'video' || kind === 'audio')) return { type: kind, attrs: { fileId: id } }
  return { type: mime === 'application/pdf' ? 'pdf' : 'file', attrs: { fileId: id, name } }
}

/** Sends files to the storage by the tray; each has its place in the text at once, at `at` or where the cursor is. */
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

/** The same file again, after a page that left too early. */
export function restartUpload(editor: Editor, position: number, file: File): void {
  const { fileId } = editor.state.doc.nodeAt(position)?.attrs ?? {}
  const lostUpload = $uploads.get().find((upload) => fileId && upload.fileId === fileId && upload.step === 'lost')
  const key = lostUpload?.id ?? addFiles([{ file }])[0]
  if (lostUpload) void resumeWithFile(lostUpload.id, file)
  updateUploadBlock(editor, position, { key, fileId: lostUpload?.fileId ?? null, name: fileName(file) })
}

/**
 * Follows the uploads of a text as long as it is open: notes the file's id as soon as it has one, so that a later page
 * finds it, and puts the file's block in the place when it has arrived, whoever sent it. Answers how to stop.
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
  // Another text may have taken this one's place, with places of its own.
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
    // No step of the author's own: taking it back would bring the empty place again.
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
