import type { FileKind } from '#lib/core/shared/stored-file.ts'
import { file } from './table.ts'

/** A file as it is sent to the browser. */
export interface StoredFileView {
  id: string
  parentId: string | null
  kind: FileKind
  name: string
  mime: string
  /** Bytes. */
  size: number
  /** Pixels of a picture; null until known. */
  width: number | null
  height: number | null
  createdAt: Date
}

/** The columns of a FileView. */
export const fileViewColumns = {
  id: file.id,
  parentId: file.parentId,
  kind: file.kind,
  name: file.name,
  mime: file.mime,
  size: file.size,
  width: file.width,
  height: file.height,
  createdAt: file.createdAt,
}
