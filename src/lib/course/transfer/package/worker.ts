import type { ImportedCourse } from '../imported-course.ts'
import type { DocumentPreview } from '../schema.ts'
import type { PackageLabels } from './labels.ts'
import { type PackageFile, previewPackage, readPackage } from './read-package.ts'

/** A file on the disk, and a folder for unpacked files. */
export interface UploadedFile extends PackageFile {
  scratch: string
}

export interface UploadedPackage extends UploadedFile {
  labels: PackageLabels
}

/** Task of a worker process. Refuses as readPackage. */
export function parsePackage({ scratch, labels, ...file }: UploadedPackage): Promise<ImportedCourse> {
  return readPackage(file, scratch, labels)
}

/** Task of a worker process. Refuses as previewPackage. */
export function previewOfPackage({ scratch, ...file }: UploadedFile): Promise<DocumentPreview | null> {
  return previewPackage(file, scratch)
}
