import type { PackageLabels } from '#lib/course/transfer/package/labels.ts'
import type { PackageFile } from '#lib/course/transfer/package/read-package.ts'
import { type CourseWithTests, readCourse } from './course-reader.ts'

/** A file of the disk, with a folder for what is unpacked. */
export interface UploadedCourse extends PackageFile {
  scratch: string
  labels: PackageLabels
}

/** Task of a worker process. Refuses as readCourse. */
export function parseCourse({ scratch, labels, ...file }: UploadedCourse): Promise<CourseWithTests> {
  return readCourse(file, scratch, labels)
}
