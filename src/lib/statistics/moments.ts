import { and, asc, eq, gt, gte, ilike, inArray, lt, ne } from 'drizzle-orm'
import { inTenant } from '#lib/core/db/db.ts'
import { containing } from '#lib/core/db/search.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { RoomRole } from '#lib/core/shared/live-event.ts'
import { meetingMessage } from '#lib/meeting/chat-table.ts'
import { canSeeStatistics } from '#lib/workshop/rules.ts'
import { workshopSession } from '#lib/workshop/table.ts'
import { must } from '#lib/workshop/workshop.ts'
import { FindMoments } from './schema.ts'

export interface Said {
  seq: number
  /** Milliseconds since the start of the session. */
  offsetMs: number
  kind: 'message' | 'question'
  name: string
  role: RoomRole
  text: string
}

const PAGE = 100

/** What was said in a session, in its order, 100 at a time; a stretch of minutes, or what holds a word. Refuses with forbidden, not_found. */
export async function findSaid(actor: Actor, input: FindMoments): Promise<{ items: Said[]; next: number | null }> {
  must(canSeeStatistics(actor))
  const { sessionId, from, to, search, after } = FindMoments.parse(input)
  const { seq, offsetMs, kind, name, role, text, state } = meetingMessage
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
          gt(seq, after),
          from === undefined ? undefined : gte(offsetMs, from * 60_000),
          to === undefined ? undefined : lt(offsetMs, (to + 1) * 60_000),
          search ? ilike(text, containing(search)) : undefined,
        ),
      )
      .orderBy(asc(seq))
      .limit(PAGE + 1)
  })
  return { items: rows.slice(0, PAGE), next: rows.length > PAGE ? (rows[PAGE - 1]?.seq ?? null) : null }
}
