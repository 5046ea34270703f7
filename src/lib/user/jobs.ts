import type { JobList } from '#lib/core/jobs/jobs.ts'
import { sendResetLink } from './user.ts'

export const userJobs: JobList = {
  'user.sendReset': sendResetLink,
}
