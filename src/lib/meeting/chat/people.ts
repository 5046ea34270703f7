import { and, asc, count, eq, gt, inArray, isNotNull, isNull, ne, or, type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { matchesSearch } from '#lib/core/db/search.ts'
import { readCursor, writeCursor } from '#lib/core/http/cursor.ts'
import { workshopParticipant } from '#lib/workshop/session/event-table.ts'
import type { Sitting } from '../admission/seat.ts'
import { meetingPresence } from '../table.ts'
import { isStaff } from './rules.ts'
import { mustChat } from './say.ts'
import { ListPeople, PAGE, type PeopleView, type PersonView } from './schema.ts'

/**
 * Who is in the room: for the staff a page of everybody, who are there now first, searched by name and address; those
 * who were banned are found among the held alone. For a viewer the numbers and those of the staff and the stage alone. Refuses with unauthorized, forbidden, invalid.
 */
export async function listPeople(input: ListPeople, now = new Date()): Promise<PeopleView> {
  const { ticket, search, cursor, held } = ListPeople.parse(input)
  const after = readCursor(PersonKey, cursor)
  const sitting = await mustChat(ticket, 'seePeople')
  const staff = isStaff(sitting.role)
  return inTenant(sitting, async (tx) => {
    const numbers = await countPeople(tx, sitting.sessionId)
    const where = and(
      staff ? undefined : inFront(sitting),
      search === '' ? undefined : matching(search, staff),
      staff && held ? isHeld(now) : isNull(p.bannedAt),
      after ? gt(PLACE, sql`(${after.rank}::int, ${after.name}::text, ${after.id}::uuid)`) : undefined,
    )
    const rows = await readPeople(tx, sitting.sessionId, where)
    const people = rows.slice(0, PAGE)
    const last = rows.length > PAGE ? people.at(-1) : undefined
    return {
      ...numbers,
      people: people.map((row) => viewOf(row, staff)),
      next: last ? writeCursor(PersonKey, { rank: last.online ? 0 : 1, name: last.sort, id: last.personId }) : null,
    }
  })
}

const p = workshopParticipant
const PersonKey = z.object({ rank: z.int().min(0).max(1), name: z.string(), id: z.uuid() })
const here = sql<boolean>`coalesce(${meetingPresence.present}, false)`
const PLACE = sql`(case when ${here} then 0 else 1 end, lower(${p.name}), ${p.id})`

type Row = Awaited<ReturnType<typeof readPeople>>[number]

function readPeople(tx: Tx, sessionId: string, where: SQL | undefined) {
  return tx
    .select({
      personId: p.id,
      name: p.name,
      role: p.role,
      email: p.email,
      mutedUntil: p.mutedUntil,
      isolatedAt: p.isolatedAt,
      bannedAt: p.bannedAt,
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
    .where(and(eq(p.sessionId, sessionId), eq(p.role, 'viewer'), isNull(p.bannedAt)))
  return { online: row?.online ?? 0, total: row?.total ?? 0 }
}

function inFront({ session }: Sitting): SQL | undefined {
  const onAir = [...new Set(session.state.onAir.map(({ personId }) => personId))]
  return or(ne(p.role, 'viewer'), onAir.length > 0 ? inArray(p.id, onAir) : undefined)
}

function matching(search: string, staff: boolean): SQL | undefined {
  return matchesSearch(search, p.name, ...(staff ? [sql`coalesce(${p.email}, '')`] : []))
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
