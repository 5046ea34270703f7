import { stat } from 'node:fs/promises'
import { MINUTE_MS } from '#lib/core/shared/time.ts'
import { workerTask } from '#lib/core/worker/pool.ts'
import type { CourseWithTests } from './course-reader.ts'
import type { parseCourse, UploadedCourse } from './worker.ts'

/** Enough for a Word document or a package of texts, with the slowest disk in mind. */
const MIN_LIMIT_MS = 3 * MINUTE_MS
/** A backup is unpacked first, which takes time by its size. */
const BYTES_PER_MS = 5000

/**
 * Reads a file of the disk as a course with its tests in a worker process, in whatever format it is. Its files are in the
 * archive or in `scratch`, see `openPlaces`. Refuses as readCourse, and with unprocessable (parse_too_complex) for a file
 * that takes too much time or memory.
 */
export async function readUploadedCourse(uploaded: UploadedCourse, signal?: AbortSignal): Promise<CourseWithTests> {
  const { size } = await stat(uploaded.path)
  const parse = workerTask<typeof parseCourse>({
    file: 'src/lib/quiz/transfer/course/worker.ts',
    name: 'parseCourse',
    lane: 'job',
    limitMs: MIN_LIMIT_MS + size / BYTES_PER_MS,
  })
  return parse(uploaded, signal)
}
