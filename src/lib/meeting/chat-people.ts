import { and, asc, count, eq, gt, ilike, inArray, isNotNull, ne, or, type SQL, sql } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { containing } from '#lib/core/db/search.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { workshopParticipant } from '#lib/workshop/event-table.ts'
import { isStaff } from './chat-rules.ts'
import { mustChat } from './chat-say.ts'
import { ListPeople, PAGE, type PeopleView, type PersonView } from './chat-schema.ts'
import type { Sitting } from './seat.ts'
import { meetingPresence } from './table.ts'

/**
 * Who is in the room: for the staff a page of everybody, who are there now first, searched by name and address; for a
 * viewer the numbers and those of the staff and the stage alone. Refuses with unauthorized, forbidden, invalid.
 */
export async function listPeople(input: ListPeople, now = new Date()): Promise<PeopleView> {
  const { ticket, search, after, held } = ListPeople.parse(input)
  const sitting = await mustChat(ticket, 'seePeople')
  const staff = isStaff(sitting.role)
  return inTenant(sitting, async (tx) => {
    const numbers = await countPeople(tx, sitting.sessionId)
    const where = and(
      staff ? undefined : inFront(sitting),
      search === '' ? undefined : matching(search, staff),
      staff && held ? isHeld(now) : undefined,
      after ? gt(PLACE, placeAt(after)) : undefined,
    )
    const rows = await readPeople(tx, sitting.sessionId, where)
    const people = rows.slice(0, PAGE)
    const last = rows.length > PAGE ? people.at(-1) : undefined
    return {
      ...numbers,
      people: people.map((row) => viewOf(row, staff)),
      next: last ? cursorOf(last) : null,
    }
  })
}

const p = workshopParticipant
const here = sql<boolean>`coalesce(${meetingPresence.present}, false)`
const PLACE = sql`(case when ${here} then 0 else 1 end, lower(${p.name}), ${p.id})`

type Row = Awaited<ReturnType<typeof readPeople>>[number]

function readPeople(tx: Tx, sessionId: string, where: SQL | undefined) {
  return tx
    .select({
      ...{ personId: p.id, name: p.name, role: p.role, email: p.email },
      ...{ mutedUntil: p.mutedUntil, isolatedAt: p.isolatedAt, bannedAt: p.bannedAt },
      online: here,
      sort: sql<string>`lower(${p.name})`,
    })
    .from(p)
    .leftJoin(meetingPresence, and(eq(meetingPresence.sessionId, p.sessionId), eq(meetingPresence.personId, p.id)))
    .where(and(eq(p.sessionId, sessionId), where))
    .orderBy(asc(sql`case when ${here} then 0 else 1 end`), asc(sql`lower(${p.name})`), asc(p.id))
    .limit(PAGE + 1)
}

async function countPeople(tx: Tx, sessionId: string): Promise<{ online: number; total: number }> {
  const [row] = await tx
    .select({ total: count(), online: sql<number>`(count(*) filter (where ${here}))::int` })
    .from(p)
    .leftJoin(meetingPresence, and(eq(meetingPresence.sessionId, p.sessionId), eq(meetingPresence.personId, p.id)))
    .where(eq(p.sessionId, sessionId))
  return { online: row?.online ?? 0, total: row?.total ?? 0 }
}

function inFront({ session }: Sitting): SQL | undefined {
  const onAir = [...new Set(session.state.onAir.map(({ personId }) => personId))]
  return or(ne(p.role, 'viewer'), onAir.length > 0 ? inArray(p.id, onAir) : undefined)
}

function matching(search: string, staff: boolean): SQL | undefined {
  const pattern = containing(search)
  return or(ilike(p.name, pattern), staff ? ilike(p.email, pattern) : undefined)
}

const isHeld = (now: Date): SQL | undefined => or(gt(p.mutedUntil, now), isNotNull(p.isolatedAt), isNotNull(p.bannedAt))

function viewOf({ mutedUntil, isolatedAt, bannedAt, sort: _, ...row }: Row, staff: boolean): PersonView {
  if (!staff) return { ...row, email: null, mutedUntil: null, isolated: false, banned: false }
  return {
    ...row,
    mutedUntil: mutedUntil?.getTime() ?? null,
    isolated: isolatedAt !== null,
    banned: bannedAt !== null,
  }
}

const cursorOf = ({ online, personId, sort }: Row): string =>
  Buffer.from(JSON.stringify([online ? 0 : 1, sort, personId])).toString('base64url')

function placeAt(cursor: string): SQL {
  const [rank, name, id] = unpacked(cursor)
  if (typeof rank !== 'number' || typeof name !== 'string' || !/^[0-9a-f-]{36}$/.test(String(id)))
    throw new Refusal('invalid', { fields: { after: ['format'] } })
  return sql`(${rank}::int, ${name}::text, ${id}::uuid)`
}

function unpacked(cursor: string): unknown[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    return Array.isArray(parts) ? parts : []
  } catch {
    return []
  }
}
