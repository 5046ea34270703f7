import type { JobList } from '../jobs/jobs.ts'
import { deliver } from './delivery.ts'

export const mailJobs: JobList = {
  // About an hour of patience with a mail server that is away.
  'mail.deliver': { run: deliver, tries: 10, retryDelaySeconds: 5 },
}
