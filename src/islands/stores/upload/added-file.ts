export interface AddedFile {
  file: File
  /** The folder; null is the storage's top. */
  parentId?: string | null
  /** Folders below it, made where they are missing. */
  path?: string[]
  /** Asks another room than the storage for the upload, e.g. homework; what is made of films there is not followed. */
  begin?: (asked: { name: string; size: number; head: string; sample: string }) => Promise<{ uploadId: string }>
}
