import { sql } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { inTenant, pool, type Tx } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { findOccupiedSessions } from '#lib/meeting/admission/presence.ts'
import { selectRegistrations } from '#lib/registration/registrants/registrants.ts'
import { createChatRoom, joinRoom } from '../../setup/meeting/chat-room.ts'
import { createWebinar, visitorAt } from '../../setup/meeting/events.ts'
import { registerForEvent } from '../../setup/parsed/registration.ts'
import { createTestTenant, type TestTenant } from '../../setup/tenants.ts'

let home: TestTenant
let workshopId: string
beforeAll(async () => {
  home = await createTestTenant()
  const { OWNER } = home.as
  workshopId = (await createWebinar(OWNER, { startAt: new Date(Date.now() + 3_600_000).toISOString() })).workshopId
  await registerForEvent(visitorAt(home), { workshopId, email: 'first@visitor.test', name: 'Перша' })
  const room = await createChatRoom(home)
  const { personId } = await joinRoom(room, 'viewer')
  await inTenant(OWNER, async (tx) => {
    await tx.execute(sql`insert into registration
        (tenant_id, id, workshop_id, email, name, locale, time_zone, state, join_digest, join_sealed, created_at)
      select tenant_id, gen_random_uuid(), workshop_id, n || '@visitor.test', 'Гість ' || n, locale, time_zone,
        (array['confirmed', 'waitlisted', 'canceled'])[1 + n % 3], n::text, '', now() - n * interval '1 minute'
      from registration, generate_series(2, 20000) n where workshop_id = ${workshopId}`)
    // Former participants, and one who is present.
    await tx.execute(sql`insert into workshop_participant
        (tenant_id, id, session_id, workshop_id, kind, role, name, locale, time_zone)
      select tenant_id, gen_random_uuid(), session_id, workshop_id, kind, role, 'Гість ' || n, locale, time_zone
      from workshop_participant, generate_series(1, 20000) n where id = ${personId}`)
    await tx.execute(sql`insert into meeting_presence (tenant_id, session_id, person_id, viewer, present)
      select tenant_id, session_id, id, true, id = ${personId} from workshop_participant where session_id = ${room.id}`)
  })
  await pool.query('analyze registration, meeting_presence')
})

/** Number of blocks read by a statement. */
const blocksOf = (statement: (tx: Tx) => { getSQL(): ReturnType<typeof sql> }) =>
  inTenant(home.as.OWNER, async (tx) => {
    const { rows } = await tx.execute(sql`explain (analyze, buffers, format json) ${statement(tx).getSQL()}`)
    const [{ Plan: plan }] = Object(rows[0])['QUERY PLAN']
    return plan['Shared Hit Blocks'] + plan['Shared Read Blocks']
  })

test.each(['all', 'confirmed', 'waitlisted'] as const)(
  'a page of %s registrations reads a few pages of an index only, the first and a later one',
  async (state) => {
    const later = { at: String((Date.now() - 9_000 * 60_000) * 1000), id: newId() }
    for (const after of [null, later]) {
      const input = { workshopId, state, search: '', limit: 51, after }
      expect(await blocksOf((tx) => selectRegistrations(tx, input))).toBeLessThan(250)
    }
  },
)

test('present participants are found without scanning all participants', async () => {
  expect(await blocksOf(findOccupiedSessions)).toBeLessThan(20)
  expect(await inTenant(home.as.OWNER, findOccupiedSessions)).toHaveLength(1)
})
