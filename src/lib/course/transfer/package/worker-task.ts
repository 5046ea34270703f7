import { workerTask } from '#lib/core/worker/pool.ts'
import type { previewOfPackage } from './worker.ts'

/**
 * Ways to split an uploaded Word document, from a worker process; null for a package of any other format. Refuses as
 * previewPackage, and with unprocessable (parse_too_complex) for a file that takes too much time or memory.
 */
export const previewUploadedPackage = workerTask<typeof previewOfPackage>({
  file: 'src/lib/course/transfer/package/worker.ts',
  name: 'previewOfPackage',
  lane: 'request',
  limitMs: 20_000,
})
