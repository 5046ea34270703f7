import { and, asc, count, eq, gt, inArray, isNotNull, isNull, ne, or, type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { matchesSearch } from '#lib/core/db/search.ts'
import { readCursor, writeCursor } from '#lib/core/http/cursor.ts'
import { workshopParticipant } from '#lib/workshop/session/event-table.ts'
import type { RoomParticipant } from '../admission/seat.ts'
import { meetingPresence } from '../table.ts'
import { isStaff } from './rules.ts'
import { type ListPeople, MESSAGE_PAGE_SIZE, type PeopleView, type PersonView } from './schema.ts'
import { requireChatAction } from './send-message.ts'

/**
 * Lists participants of the room. Staff get pages of all participants, present ones first, searchable by name and
 * email; banned ones only with `onlyRestricted`. Viewers get the counts, staff and the participants on the stage. Refuses with
 * unauthorized, forbidden, invalid.
 */
export async function listPeople(input: ListPeople, now = new Date()): Promise<PeopleView> {
  const { seatToken, search, cursor, onlyRestricted } = input
  const after = readCursor(PersonKey, cursor)
  const participant = await requireChatAction(seatToken, 'seePeople')
  const isStaffReader = isStaff(participant.role)
  return inTenant(participant, async (tx) => {
    const counts = await countPeople(tx, participant.sessionId)
    const where = and(
      isStaffReader ? undefined : isVisibleToViewers(participant),
      search === '' ? undefined : matchesPersonSearch(search, isStaffReader),
      isStaffReader && onlyRestricted ? isRestricted(now) : isNull(p.bannedAt),
      after ? gt(SORT_KEY, sql`(${after.rank}::int, ${after.name}::text, ${after.id}::uuid)`) : undefined,
    )
    const rows = await readPeople(tx, participant.sessionId, where)
    const people = rows.slice(0, MESSAGE_PAGE_SIZE)
    const last = rows.length > MESSAGE_PAGE_SIZE ? people.at(-1) : undefined
    return {
      ...counts,
      people: people.map((row) => toPersonView(row, isStaffReader)),
      next: last ? writeCursor(PersonKey, { rank: last.online ? 0 : 1, name: last.sort, id: last.personId }) : null,
    }
  })
}

const p = workshopParticipant
const PersonKey = z.object({ rank: z.int().min(0).max(1), name: z.string(), id: z.uuid() })
const isOnlineSql = sql<boolean>`coalesce(${meetingPresence.present}, false)`
const SORT_KEY = sql`(case when ${isOnlineSql} then 0 else 1 end, lower(${p.name}), ${p.id})`

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
      online: isOnlineSql,
      sort: sql<string>`lower(${p.name})`,
    })
    .from(p)
    .leftJoin(meetingPresence, and(eq(meetingPresence.sessionId, p.sessionId), eq(meetingPresence.personId, p.id)))
    .where(and(eq(p.sessionId, sessionId), where))
    .orderBy(asc(sql`case when ${isOnlineSql} then 0 else 1 end`), asc(sql`lower(${p.name})`), asc(p.id))
    .limit(MESSAGE_PAGE_SIZE + 1)
}

async function countPeople(tx: Tx, sessionId: string): Promise<{ online: number; total: number }> {
  const [row] = await tx
    .select({ total: count(), online: sql<number>`(count(*) filter (where ${isOnlineSql}))::int` })
    .from(p)
    .leftJoin(meetingPresence, and(eq(meetingPresence.sessionId, p.sessionId), eq(meetingPresence.personId, p.id)))
    .where(and(eq(p.sessionId, sessionId), eq(p.role, 'viewer'), isNull(p.bannedAt)))
  return { online: row?.online ?? 0, total: row?.total ?? 0 }
}

function isVisibleToViewers({ session }: RoomParticipant): SQL | undefined {
  const onAir = [...new Set(session.state.onAir.map(({ personId }) => personId))]
  return or(ne(p.role, 'viewer'), onAir.length > 0 ? inArray(p.id, onAir) : undefined)
}

function matchesPersonSearch(search: string, staff: boolean): SQL | undefined {
  return matchesSearch(search, p.name, ...(staff ? [sql`coalesce(${p.email}, '')`] : []))
}

const isRestricted = (now: Date): SQL | undefined =>
  or(gt(p.mutedUntil, now), isNotNull(p.isolatedAt), isNotNull(p.bannedAt))

function toPersonView({ mutedUntil, isolatedAt, bannedAt, sort: _, ...row }: Row, isStaffReader: boolean): PersonView {
  if (!isStaffReader) return { ...row, email: null, mutedUntil: null, isolated: false, banned: false }
  return {
    ...row,
    mutedUntil: mutedUntil?.getTime() ?? null,
    isolated: isolatedAt !== null,
    banned: bannedAt !== null,
  }
}
