import type { JobList } from '../jobs/jobs.ts'
import { deliverEmail } from './delivery.ts'

export const mailJobs: JobList = {
  // Retries for about an hour while the mail server is unavailable.
  'mail.deliver': { run: deliverEmail, maxAttempts: 10, retryDelaySeconds: 5 },
}
