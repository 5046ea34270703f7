import { and, count, eq } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { translator } from '#lib/core/i18n/i18n.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { video } from '#lib/storage/table.ts'
import { must, mustManage, mustWritePlan } from '#lib/workshop/permission.ts'
import { canCreateWorkshop } from '#lib/workshop/rules.ts'
import { readEvents } from '#lib/workshop/session/event-log.ts'
import type { RoomEvent } from '#lib/workshop/session/event-schema.ts'
import { workshopParticipant } from '#lib/workshop/session/event-table.ts'
import { emptyRoom } from '#lib/workshop/session/state-rules.ts'
import { createWorkshop } from '#lib/workshop/settings/create.ts'
import type { CopyMore } from '#lib/workshop/settings/duplicate.ts'
import { workshop, workshopSession } from '#lib/workshop/table.ts'
import { noteFiles } from './film-use.ts'
import { scriptOf } from './from-log.ts'
import { beginPlan, mustBeFilm } from './plan.ts'
import { type Line, MakeFromVideo, MakeFromWebinar } from './schema.ts'
import { linesOf } from './script.ts'
import { autoLine, autoPlan } from './table.ts'

/**
 * Makes an auto-webinar of a webinar that is over: its log becomes the script, its film the film as soon as there is one.
 * Refuses with unprocessable while it is not over, or when the plan's number of events is used up; with forbidden,
 * plan_inactive, not_found.
 */
export async function makeFromWebinar(
  actor: Actor,
  input: MakeFromWebinar,
): Promise<{ workshopId: string; lines: number }> {
  must(canCreateWorkshop(actor))
  mustWritePlan(actor)
  const { keepTally, title, ...which } = MakeFromWebinar.parse(input)
  return inTenant(actor, async (tx) => {
    const { session, of } = await sourceOf(tx, which)
    await mustManage(tx, actor, of.id)
    if (!session.startedAt || !session.finishedAt) {
      throw new Refusal('unprocessable', { fields: { form: ['webinar_not_over'] } })
    }
    const { description, coverFileId, language, timeZone, access, slidesFileId, settings } = of
    const length = session.finishedAt.getTime() - session.startedAt.getTime()
    const plannedMinutes = Math.min(1440, Math.max(5, Math.ceil(length / 60_000)))
    const { workshopId } = await createWorkshop(actor, {
      type: 'autoWebinar',
      title: title ?? titleOf(actor, of.title),
      description,
      coverFileId,
      language,
      timeZone,
      access,
      slidesFileId,
      plannedMinutes,
      source: 'file',
    })
    await beginPlan(tx, actor.tenantId, workshopId, {
      filmMs: length,
      sourceSessionId: session.id,
      watchedBefore: await viewersOf(tx, session.id),
    })
    const lines = scriptOf(await wholeLog(tx, session.id), {
      empty: emptyRoom(settings.chat, slidesFileId),
      language,
      salt: workshopId,
      keepTally,
      startedAt: session.startedAt.getTime(),
      finishedAt: session.finishedAt.getTime(),
    })
    await insertLines(tx, actor, workshopId, lines)
    await noteFiles(tx, actor, workshopId)
    return { workshopId, lines: lines.length }
  })
}

/** Makes an auto-webinar of a film, its script empty. Refuses as createWorkshop, and with wrong_type for no film. */
export async function makeFromVideo(actor: Actor, input: MakeFromVideo): Promise<{ workshopId: string }> {
  must(canCreateWorkshop(actor))
  mustWritePlan(actor)
  const { fileId, title, timeZone, language, plannedMinutes } = MakeFromVideo.parse(input)
  return inTenant(actor, async (tx) => {
    if (fileId) await mustBeFilm(actor, fileId)
    const [film] = fileId
      ? await tx.select({ seconds: video.duration }).from(video).where(eq(video.fileId, fileId))
      : []
    const minutes = film?.seconds ? Math.min(1440, Math.max(5, Math.ceil(film.seconds / 60))) : plannedMinutes
    const { workshopId } = await createWorkshop(actor, {
      type: 'autoWebinar',
      title,
      timeZone,
      language,
      plannedMinutes: minutes,
      source: 'file',
    })
    await beginPlan(tx, actor.tenantId, workshopId, fileId ? { filmFileId: fileId } : {})
    await noteFiles(tx, actor, workshopId)
    return { workshopId }
  })
}

/** Copies plan and script with an auto-webinar that is duplicated: the hallway hands it to the workshop room. */
export const copyScript: CopyMore = async (tx, actor, { from, to, items }) => {
  const [plan] = await tx.select().from(autoPlan).where(eq(autoPlan.workshopId, from))
  if (!plan) return
  const { filmFileId, filmMs, filmOffsetMs, sourceSessionId, quietHours, capacity, mutedTracks } = plan
  const { mayRestart, mayPause, honest, watchedBefore } = plan
  await beginPlan(tx, actor.tenantId, to, {
    filmFileId,
    filmMs,
    filmOffsetMs,
    sourceSessionId,
    quietHours,
    capacity,
    mutedTracks,
    mayRestart,
    mayPause,
    honest,
    watchedBefore,
    // A date that was for the original is not the copy's.
    schedule: { ...plan.schedule, dates: [] },
  })
  const ids = new Map<string, string>(items)
  const named = (await linesOf(tx, from)).map((line) => ({ ...line, payload: renamed(line, ids), id: newId() }))
  await insertLines(tx, actor, to, named as Line[])
  await noteFiles(tx, actor, to)
}

/** Rows of a script, a thousand a statement. */
export async function insertLines(
  tx: Tx,
  { tenantId }: Pick<Actor, 'tenantId'>,
  workshopId: string,
  lines: readonly Pick<Line, 'id' | 'offsetMs' | 'position' | 'track' | 'type' | 'payload'>[],
): Promise<number> {
  let made = 0
  for (let at = 0; at < lines.length; at += 1000) {
    const rows = lines.slice(at, at + 1000).map(({ id, offsetMs, position, track, type, payload }) => ({
      tenantId,
      workshopId,
      id,
      offsetMs,
      position,
      track,
      type,
      payload,
    }))
    const done = await tx.insert(autoLine).values(rows).onConflictDoNothing().returning({ id: autoLine.id })
    made += done.length
  }
  return made
}

async function sourceOf(
  tx: Tx,
  { workshopId, sessionId }: { workshopId?: string | undefined; sessionId?: string | undefined },
) {
  const [found] = await tx
    .select({ session: workshopSession, of: workshop })
    .from(workshopSession)
    .innerJoin(workshop, eq(workshop.id, workshopSession.workshopId))
    .where(
      and(
        eq(workshopSession.kind, 'live'),
        sessionId ? eq(workshopSession.id, sessionId) : eq(workshop.id, workshopId ?? ''),
      ),
    )
  if (!found) throw new Refusal('not_found')
  return found
}

/** The log is read in pieces: hundreds of thousands of votes and clicks of a large webinar are of no use here. */
async function wholeLog(tx: Tx, sessionId: string): Promise<RoomEvent[]> {
  const log: RoomEvent[] = []
  for (;;) {
    const piece = await readEvents(tx, sessionId, {
      after: log.at(-1)?.seq ?? 0,
      types: KEPT,
      most: 5000,
      reader: 'staff',
    })
    log.push(...piece)
    if (piece.length < 5000) return log
  }
}

const KEPT = [
  'message',
  'messageShown',
  'messageDeleted',
  'messagePinned',
  'question',
  'question.now',
  'answer',
  'button.show',
  'button.hide',
  'slide.change',
  'presentation.change',
  'poll.open',
  'poll.close',
  'handout.show',
  'handout.hide',
] as RoomEvent['type'][]

async function viewersOf(tx: Tx, sessionId: string): Promise<number> {
  const [row] = await tx
    .select({ viewers: count() })
    .from(workshopParticipant)
    .where(and(eq(workshopParticipant.sessionId, sessionId), eq(workshopParticipant.role, 'viewer')))
  return row?.viewers ?? 0
}

const titleOf = (actor: Actor, title: string): string =>
  translator(actor.locale)('autowebinar:made.title', { title }).slice(0, 200)

/** A line with the ids of what was copied with it: messages of its own, and the items of the new event. */
function renamed(line: Line, ids: Map<string, string>): object {
  const entries = Object.entries(line.payload).map(([key, value]) => {
    if (!/^(messageId|replyTo|buttonId|pollId|handoutId)$/.test(key) || typeof value !== 'string') return [key, value]
    const known = ids.get(value) ?? newId()
    ids.set(value, known)
    return [key, known]
  })
  return Object.fromEntries(entries)
}
