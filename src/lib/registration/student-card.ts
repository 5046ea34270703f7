import { type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Tx } from '#lib/core/db/db.ts'
import { microsecondsOf, rowOfKey } from '#lib/core/db/keyset.ts'
import { InstantKey, readCursor, writeCursor } from '#lib/core/http/cursor.ts'
import { REGISTRATION_STATES, WORKSHOP_TYPES, type WorkshopType } from '#lib/core/shared/event/live-event.ts'
import { parseStored } from '#lib/core/shared/parse-stored.ts'
import type { CardSection, SectionPage } from '#lib/student/card/section.ts'
import { eraseRegistrations } from './erasure.ts'

const PAGE_SIZE = 30
const FOLDERS: Record<WorkshopType, string> = {
  webinar: 'webinar',
  autoWebinar: 'auto-webinar',
  masterclass: 'masterclass',
}

/** The sections of events in the student card: registrations and attendance. */
export const eventCardSection: CardSection = {
  key: 'events',
  labelKey: 'registration:card.tab',
  list: listRegistrations,
  timeline: (studentId) => [
    registrationEntries(studentId, 'created_at', 'registered'),
    registrationEntries(studentId, 'first_joined_at', 'attended'),
  ],
  erase: eraseRegistrations,
}

/** Registrations of a student: as a signed-in member, or with the same email address. */
const isOfStudent = (studentId: string): SQL => sql`r.tenant_id = current_tenant() and (r.member_id = ${studentId}
  or r.email = (select email from student where tenant_id = current_tenant() and id = ${studentId}))`

function registrationEntries(studentId: string, column: string, kind: string): SQL {
  return sql`select r.${sql.raw(column)} as at, r.id, ${kind}::text as kind, w.title, ${hrefOf} as href
    from registration r join workshop w on w.tenant_id = r.tenant_id and w.id = r.workshop_id
    where ${isOfStudent(studentId)} and r.${sql.raw(column)} is not null`
}

const hrefOf = sql.raw(
  `'/workshops/' || case w.type ${WORKSHOP_TYPES.map((type) => `when '${type}' then '${FOLDERS[type]}'`).join(' ')} end || '/' || w.id`,
)

const Row = z.object({
  id: z.string(),
  title: z.string(),
  href: z.string(),
  state: z.enum(REGISTRATION_STATES),
  at: z.coerce.date(),
  attended: z.boolean(),
  micros: z.string(),
})

async function listRegistrations(tx: Tx, studentId: string, cursor: string | undefined): Promise<SectionPage> {
  const after = readCursor(InstantKey, cursor)
  const older = after ? sql`and (r.created_at, r.id) < ${rowOfKey(after)}` : sql``
  const { rows } = await tx.execute<Record<string, unknown>>(sql`
    select r.id, w.title, ${hrefOf} as href, r.state, r.created_at as at, r.first_joined_at is not null as attended,
      ${microsecondsOf(sql`r.created_at`)} as micros
    from registration r join workshop w on w.tenant_id = r.tenant_id and w.id = r.workshop_id
    where ${isOfStudent(studentId)} ${older}
    order by r.created_at desc, r.id desc limit ${PAGE_SIZE + 1}`)
  const found = rows.map((row) => parseStored(Row, row))
  const last = found.length > PAGE_SIZE ? found[PAGE_SIZE - 1] : undefined
  return {
    items: found.slice(0, PAGE_SIZE).map(({ id, title, href, state, at, attended }) => ({
      id,
      title,
      context: null,
      at,
      href,
      stateKey: attended ? ('registration:card.attended' as const) : (`registration:card.${state}` as const),
      isGood: attended ? true : state === 'declined' || state === 'canceled' ? false : null,
      noteKey: null,
    })),
    next: last ? writeCursor(InstantKey, { at: last.micros, id: last.id }) : null,
  }
}
