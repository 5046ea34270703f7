import { and, asc, eq, gt, gte, inArray, lt, ne } from 'drizzle-orm'
import { z } from 'zod'
import { inTenant } from '#lib/core/db/db.ts'
import { matchesSearch } from '#lib/core/db/search.ts'
import { readCursor, writeCursor } from '#lib/core/http/cursor.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { RoomRole } from '#lib/core/shared/event/live-event.ts'
import { MINUTE_MS } from '#lib/core/shared/time.ts'
import { meetingMessage } from '#lib/meeting/chat/table.ts'
import { requireEventPermission } from '#lib/workshop/permission.ts'
import { canSeeStatistics } from '#lib/workshop/rules.ts'
import { workshopSession } from '#lib/workshop/table.ts'
import type { FindMoments } from './schema.ts'

export interface FoundMessage {
  seq: number
  /** Milliseconds since the start of the session. */
  offsetMs: number
  kind: 'message' | 'question'
  name: string
  role: RoomRole
  text: string
}

const PAGE_SIZE = 100
const EntryKey = z.object({ seq: z.int().min(0) })

/**
 * Messages of a session in order, 100 per page; within a range of minutes, or matching a search. Refuses with
 * forbidden, not_found.
 */
export async function findSessionMessages(
  actor: Actor,
  input: FindMoments,
): Promise<{ items: FoundMessage[]; next: string | null }> {
  requireEventPermission(canSeeStatistics(actor))
  const { sessionId, from, to, search, cursor } = input
  const { seq, offsetMs, kind, name, role, text, state } = meetingMessage
  const after = readCursor(EntryKey, cursor)
  const rows = await inTenant(actor, async (tx) => {
    const [session] = await tx
      .select({ id: workshopSession.id })
      .from(workshopSession)
      .where(eq(workshopSession.id, sessionId))
    if (!session) throw new Refusal('not_found')
    return tx
      .select({ seq, offsetMs, kind, name, role, text })
      .from(meetingMessage)
      .where(
        and(
          eq(meetingMessage.sessionId, sessionId),
          inArray(kind, ['message', 'question']),
          ne(state, 'deleted'),
          after ? gt(seq, after.seq) : undefined,
          from === undefined ? undefined : gte(offsetMs, from * MINUTE_MS),
          to === undefined ? undefined : lt(offsetMs, (to + 1) * MINUTE_MS),
          matchesSearch(search, text),
        ),
      )
      .orderBy(asc(seq))
      .limit(PAGE_SIZE + 1)
  })
  const last = rows.length > PAGE_SIZE ? rows[PAGE_SIZE - 1] : undefined
  return { items: rows.slice(0, PAGE_SIZE), next: last ? writeCursor(EntryKey, last) : null }
}
