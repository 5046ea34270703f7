import type { JobList } from '#lib/core/jobs/jobs.ts'
import { runTurn } from './turn.ts'

export const autowebinarJobs: JobList = {
  'autowebinar.turn': (data: { tenantId: string; sessionId: string }) => runTurn(data),
}
