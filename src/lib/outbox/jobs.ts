import type { JobList } from '#lib/core/jobs/jobs.ts'
import { type MessageSenders, sendOutgoingMessage } from './send.ts'

/** The jobs of the module; the senders are those of the modules that own the recipients. */
export const outboxJobs = (senders: MessageSenders): JobList => ({
  'outbox.send': {
    run: (data: { tenantId: string; messageId: string }, run) => sendOutgoingMessage(data, senders, run),
    stopsAtShutdown: true,
    timeoutHours: 4,
  },
})
