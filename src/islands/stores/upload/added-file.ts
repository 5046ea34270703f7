export interface AddedFile {
  file: File
  /** Where the file belongs: a copy stays on this device until it has arrived (`waiting-files.ts`). */
  place?: string
  /** The id of the upload; of a file from `listWaitingFiles` the one under which it is stored. */
  id?: string
  /** The folder; null for the root of the storage. */
  parentId?: string | null
  /** Folders below it; missing ones are created. */
  path?: string[]
  /** Starts the upload in another module than the storage, e.g. homework; the processing of its videos is not shown. */
  startUpload?: (input: { name: string; size: number; head: string; sample: string }) => Promise<{ uploadId: string }>
}
