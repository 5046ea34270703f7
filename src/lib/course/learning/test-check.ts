import { enqueueJob } from '#lib/core/jobs/jobs.ts'
import type { Actor } from '#lib/core/shared/actor.ts'

/**
 * Looks again, after the transaction, at who has passed the tests of a course's lessons, which have changed. The quiz
 * module runs the job.
 */
export function queueTestCheck({ tenantId }: Pick<Actor, 'tenantId'>, courseId: string): Promise<void> {
  return enqueueJob('course.checkTests', { tenantId, courseId })
}
