import type { JobList } from '#lib/core/jobs/jobs.ts'
import { sendResetLink } from './password-reset.ts'

export const userJobs: JobList = {
  'user.sendReset': sendResetLink,
}
