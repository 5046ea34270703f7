import type { JobList } from '#lib/core/jobs/jobs.ts'
import { runAdvance } from './advance.ts'

export const autowebinarJobs: JobList = {
  'autowebinar.turn': (data: { tenantId: string; sessionId: string }) => runAdvance(data),
}
