import type { DocumentPreview } from '../schema.ts'
import { type PackageFile, previewPackage } from './read-package.ts'

/** A file on the disk, and a folder for unpacked files. */
interface UploadedFile extends PackageFile {
  scratch: string
}

/** Task of a worker process. Refuses as previewPackage. */
export function previewOfPackage({ scratch, ...file }: UploadedFile): Promise<DocumentPreview | null> {
  return previewPackage(file, scratch)
}
