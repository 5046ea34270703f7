import { sql } from 'drizzle-orm'
import type { CardSection } from '#lib/student/card/section.ts'
import { eraseParticipants } from '#lib/workshop/session/participant-erasure.ts'

/** The data of rooms about a student: the name of the participant and of the author of chat messages. */
export const roomCardSection: CardSection = {
  key: 'rooms',
  erase: async (tx, { studentId, email }) => {
    const participantIds = await eraseParticipants(tx, { memberId: studentId, email })
    if (participantIds.length === 0) return
    await tx.execute(sql`update meeting_message set name = ''
      where tenant_id = current_tenant() and author_id = any(${sql.param(participantIds)}::uuid[])`)
  },
}
