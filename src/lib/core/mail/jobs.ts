import type { JobList } from '../jobs/jobs.ts'
import { deliverEmail } from './delivery.ts'
import type { ReadEmailSender } from './sender.ts'

/** The jobs of emails; `readSender` returns the sender of the emails of a tenant. */
export const mailJobs = (readSender: ReadEmailSender) =>
  ({
    // Retries for about an hour while the mail server is unavailable.
    'mail.deliver': {
      run: (delivery, run) => deliverEmail(delivery, run, readSender),
      maxAttempts: 10,
      retryDelaySeconds: 5,
    },
  }) satisfies JobList
