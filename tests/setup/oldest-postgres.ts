import { deepEqual, equal } from 'node:assert/strict'
import { forwardMessage } from '#lib/chat/message/forward.ts'
import { inTenant, pool } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { migrate } from '#lib/core/db/migrate.ts'
import { compactRollupsOf } from '#lib/offer/report/compact.ts'
import { uploadTo } from './chat/chat-files.ts'
import { chatCourse, sendText, start, startDirect } from './chat/conversations.ts'
import { publishedCourse } from './course/groups.ts'
import { createSoldOffer, order } from './offer/orders.ts'
import { createTestTenant } from './tenants.ts'

/* Migrates the database of DATABASE_URL and runs core statements; a failure ends the process with an error. */
await migrate()
const { rows: ids } = await pool.query(
  'select time_ordered_id()::text as id, clock_timestamp() as at from generate_series(1, 100)',
)
equal(new Set(ids.map(({ id }) => id)).size, 100)
for (const { id, at } of ids) {
  equal(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(id), true, id)
  equal(Math.abs(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16) - at.getTime()) < 60_000, true, id)
}

const home = await createTestTenant()
const { OWNER, CURATOR, MENTOR, STUDENT } = home.as
const { courseId } = await publishedCourse(OWNER)
const offerId = await createSoldOffer(OWNER, courseId, { kind: 'free' })
await order(home, offerId, { provider: undefined, shownTotal: 0 })
await compactRollupsOf(home.tenant.id)
const { rows } = await inTenant({ tenantId: home.tenant.id }, (tx) =>
  tx.execute(
    "select grain, sum(order_count)::int as orders from order_rollup where state = 'paid' group by 1 order by 1",
  ),
)
deepEqual(rows, [
  { grain: 'all', orders: 1 },
  { grain: 'day', orders: 1 },
  { grain: 'month', orders: 1 },
])

await chatCourse(home)
const direct = await startDirect(STUDENT, CURATOR)
const { seq } = await sendText(STUDENT, direct, 'План', { fileIds: [await uploadTo(STUDENT, direct)] })
const memberIds = [MENTOR.membershipId]
const team = await start(CURATOR, { kind: 'team', title: 'Куратори', conversationId: newId(), memberIds })
const forwarded = { conversationId: direct, seq, toConversationId: team, messageId: newId() }
equal((await forwardMessage(CURATOR, forwarded)).attachment, 'file')
await pool.end()
