import { inTenant } from '#lib/core/db/db.ts'
import type { JobList } from '#lib/core/jobs/jobs.ts'
import { readEvents } from '#lib/workshop/session/event-log.ts'
import { CHAT_EVENTS, projectChat } from './projection.ts'

interface AnswerRef {
  tenantId: string
  sessionId: string
  seq: number
}

export const chatJobs: JobList = {
  'meeting.projectAnswer': { run: projectAnswer },
}

/** Projects an answer that another module appended to the log later. Idempotent. */
async function projectAnswer({ tenantId, sessionId, seq }: AnswerRef): Promise<void> {
  await inTenant({ tenantId }, async (tx) => {
    const session = { tenantId, id: sessionId }
    const after = seq - 1
    await projectChat(
      tx,
      session,
      await readEvents(tx, sessionId, { after, types: CHAT_EVENTS, limit: 1, reader: 'staff' }),
    )
  })
}
