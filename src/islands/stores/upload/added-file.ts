export interface AddedFile {
  file: File
  /** The folder; null for the root of the storage. */
  parentId?: string | null
  /** Folders below it; missing ones are created. */
  path?: string[]
  /** Starts the upload in another module than the storage, e.g. homework; the processing of its videos is not shown. */
  startUpload?: (input: { name: string; size: number; head: string; sample: string }) => Promise<{ uploadId: string }>
}
