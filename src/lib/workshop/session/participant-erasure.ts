import { sql } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'

/**
 * Removes name and email address of a person from the participants of events, and the name from the logs of their
 * sessions: as the author of messages and answers, and as publishers of streams. Message texts are kept. Returns the
 * ids of the participants.
 */
export async function eraseParticipants(
  tx: Tx,
  { memberId, email }: { memberId: string; email: string },
): Promise<string[]> {
  const { rows } = await tx.execute<{ id: string; sessionId: string }>(sql`
    update workshop_participant set name = '', email = null, device = null
    where tenant_id = current_tenant() and (member_id = ${memberId} or email = ${email})
    returning id, session_id as "sessionId"`)
  const ids = rows.map(({ id }) => id)
  if (ids.length > 0) {
    await eraseAuthors(tx, ids, [...new Set(rows.map(({ sessionId }) => sessionId))])
  }
  return ids
}

async function eraseAuthors(tx: Tx, ids: readonly string[], sessionIds: readonly string[]): Promise<void> {
  const people = sql`any(${sql.param(ids)}::uuid[])`
  const inSessions = sql`e.tenant_id = current_tenant() and e.session_id = any(${sql.param(sessionIds)}::uuid[])`
  // A moderator is the actor of entries that show or pin another person's message.
  await tx.execute(sql`
    with own as (
      select e.session_id, e.payload ->> 'messageId' as message_id from workshop_event e
      where ${inSessions} and e.type in ('message', 'question') and e.actor_id = ${people})
    update workshop_event e set payload = jsonb_set(e.payload, '{author,name}', '""')
    where ${inSessions} and jsonb_typeof(e.payload -> 'author') = 'object'
      and (e.type in ('message', 'question', 'answer') and e.actor_id = ${people}
        or e.type in ('messageShown', 'messagePinned')
          and (e.session_id, e.payload ->> 'messageId') in (select session_id, message_id from own))`)
  await tx.execute(sql`
    update workshop_event e set payload = jsonb_set(e.payload, '{onAir}', (
      select jsonb_agg(case when (s ->> 'personId')::uuid = ${people} then s || '{"name": ""}' else s end order by n)
      from jsonb_array_elements(e.payload -> 'onAir') with ordinality streams (s, n)))
    where ${inSessions} and e.type = 'broadcast.change' and exists (
      select 1 from jsonb_array_elements(e.payload -> 'onAir') s where (s ->> 'personId')::uuid = ${people})`)
}
