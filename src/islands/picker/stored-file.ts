import { api } from '#islands/stores/api.ts'
import { $uploads, type Upload } from '#islands/stores/upload/upload-list.ts'
import type { FileKind, VideoState } from '#lib/core/shared/stored-file.ts'

/** A file of the storage. */
export interface PickedFile {
  id: string
  kind: FileKind
  name: string
  mime: string
  /** Bytes. */
  size: number
  /** URL of a thumbnail; null without one. */
  thumbnailUrl: string | null
  /** Encoding state, where the list contains it. */
  state?: VideoState | null | undefined
  /** The end of the video file is missing. */
  truncated?: boolean | undefined
}

/** Whether the upload has become a file, even if it is still processed. */
export const isStored = ({ step, fileId, stage }: Upload): boolean =>
  fileId !== null && (step === 'done' || step === 'processing' || stage !== null)

/** The file of this id; null when it does not exist yet. */
export async function findStoredFile(fileId: string): Promise<PickedFile | null> {
  try {
    const { id, kind, name, mime, size, picture } = await api.storage.get({ fileId }, { context: { isQuiet: true } })
    return { id, kind, name, mime, size, thumbnailUrl: picture?.src ?? null }
  } catch (error) {
    if (error instanceof Error && 'status' in error && error.status === 404) return null
    throw error
  }
}

/** Waits for an upload of the tray. Null: it was aborted. Returns how to stop waiting. */
export function whenStored(uploadId: string, arrived: (file: PickedFile | null) => void): () => void {
  let over = false
  const end = () => {
    over = true
    quiet()
  }
  const look = (uploads: readonly Upload[]) => {
    if (over) return
    const upload = uploads.find(({ id }) => id === uploadId)
    if (upload && !isStored(upload)) return
    end()
    if (!upload?.fileId) return arrived(null)
    void findStoredFile(upload.fileId).then(arrived, () => arrived(null))
  }
  const quiet = $uploads.listen(look)
  queueMicrotask(() => look($uploads.get()))
  return end
}
