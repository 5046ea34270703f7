import { stat } from 'node:fs/promises'
import { workerTask } from '#lib/core/worker/pool.ts'
import type { ImportedCourse } from '../imported-course.ts'
import type { parsePackage, previewOfPackage, UploadedPackage } from './worker.ts'

const WORKER_FILE = 'src/lib/course/transfer/package/worker.ts'
/** Sufficient for a Word document or a package of texts on a slow disk. */
const MIN_LIMIT_MS = 3 * 60_000
/** A backup is unpacked first, which takes time in proportion to its size. */
const BYTES_PER_MS = 5000

/**
 * Converts a file on the disk to a course in a worker process. Its files are in the archive or in `scratch`, see
 * `openArchiveFiles`. Refuses as readPackage, and with unprocessable (parse_too_complex) for a file that needs too much
 * time or memory.
 */
export async function readUploadedPackage(uploaded: UploadedPackage, signal?: AbortSignal): Promise<ImportedCourse> {
  const { size } = await stat(uploaded.path)
  const parse = workerTask<typeof parsePackage>({
    file: WORKER_FILE,
    name: 'parsePackage',
    lane: 'job',
    limitMs: MIN_LIMIT_MS + size / BYTES_PER_MS,
  })
  return parse(uploaded, signal)
}

/**
 * Ways to split an uploaded Word document, from a worker process; null for a package of any other format. Refuses as
 * previewPackage, and with unprocessable (parse_too_complex) as above.
 */
export const previewUploadedPackage = workerTask<typeof previewOfPackage>({
  file: WORKER_FILE,
  name: 'previewOfPackage',
  lane: 'request',
  limitMs: 20_000,
})
