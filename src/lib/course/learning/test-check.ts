import { enqueueJob } from '#lib/core/jobs/jobs.ts'
import type { Actor } from '#lib/core/shared/actor.ts'

/**
 * Evaluates again, after the transaction, who has passed the tests of a course's lessons, which have changed. The job
 * belongs to the quiz module.
 */
export function queueTestCheck({ tenantId }: Pick<Actor, 'tenantId'>, courseId: string): Promise<void> {
  return enqueueJob('course.checkTests', { tenantId, courseId })
}
