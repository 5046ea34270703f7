import { type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Tx } from '#lib/core/db/db.ts'
import { personNameIn } from '#lib/core/db/person-name.ts'
import { InstantKey, readCursor, writeCursor } from '#lib/core/http/cursor.ts'
import { parseStored } from '#lib/core/shared/parse-stored.ts'
import type { CardSection, SectionPage } from '#lib/student/card/section.ts'
import { BOOKING_STATES } from './booking/schema.ts'
import { eraseBookings } from './erasure.ts'

const PAGE_SIZE = 30

/** The sections of mentoring in the student card: sessions, when they were booked and took place. */
export const mentoringCardSection: CardSection = {
  key: 'mentoring',
  labelKey: 'mentoring:card.tab',
  list: listSessions,
  timeline: (studentId) => [
    bookingEntries(studentId, 'b.created_at', 'booked', sql`true`),
    bookingEntries(studentId, 's.start_at', 'mentored', sql`b.state = 'completed'`),
  ],
  erase: (tx, { studentId }) => eraseBookings(tx, studentId),
}

const FROM = sql`from booking b join mentor_session s on s.tenant_id = b.tenant_id and s.id = b.session_id
  join mentor_program p on p.tenant_id = s.tenant_id and p.id = s.program_id`

function bookingEntries(studentId: string, column: 'b.created_at' | 's.start_at', kind: string, condition: SQL): SQL {
  return sql`select ${sql.raw(column)} as at, b.id, ${kind}::text as kind, p.title, '/mentoring?booking=' || b.id as href
    ${FROM} where b.tenant_id = current_tenant() and b.student_id = ${studentId} and ${condition}`
}

const Row = z.object({
  id: z.string(),
  title: z.string(),
  mentor: z.string(),
  state: z.enum(BOOKING_STATES),
  at: z.coerce.date(),
  micros: z.string(),
})

async function listSessions(tx: Tx, studentId: string, cursor: string | undefined): Promise<SectionPage> {
  const after = readCursor(InstantKey, cursor)
  const older = after
    ? sql`and (s.start_at, b.id) < ('epoch'::timestamptz + ${after.at}::bigint * interval '1 microsecond', ${after.id}::uuid)`
    : sql``
  const { rows } = await tx.execute<Record<string, unknown>>(sql`
    select b.id, p.title, b.state, s.start_at as at, (extract(epoch from s.start_at) * 1000000)::bigint::text as micros,
      ${personNameIn('u')} as mentor
    ${FROM} join membership m on m.tenant_id = s.tenant_id and m.id = s.mentor_id join "user" u on u.id = m.user_id
    where b.tenant_id = current_tenant() and b.student_id = ${studentId} ${older}
    order by s.start_at desc, b.id desc limit ${PAGE_SIZE + 1}`)
  const found = rows.map((row) => parseStored(Row, row))
  const last = found.length > PAGE_SIZE ? found[PAGE_SIZE - 1] : undefined
  return {
    items: found.slice(0, PAGE_SIZE).map(({ id, title, mentor, state, at }) => ({
      id,
      title,
      context: mentor,
      at,
      href: `/mentoring?booking=${id}`,
      stateKey: `mentoring:state.${state}` as const,
      isGood: state === 'completed' ? true : state.startsWith('noShow') ? false : null,
      noteKey: null,
    })),
    next: last ? writeCursor(InstantKey, { at: last.micros, id: last.id }) : null,
  }
}
