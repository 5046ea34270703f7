import { and, count, eq } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { formRefusal, Refusal } from '#lib/core/http/refusal.ts'
import { getTranslator } from '#lib/core/i18n/i18n.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { SCRIPT_ENTRY_TYPES } from '#lib/core/shared/event/auto-event.ts'
import { MINUTE_MS } from '#lib/core/shared/time.ts'
import { video } from '#lib/storage/table.ts'
import { requireEventPermission, requireManagedWorkshop, requireWorkshopPlan } from '#lib/workshop/permission.ts'
import { canCreateWorkshop } from '#lib/workshop/rules.ts'
import { readEvents } from '#lib/workshop/session/event-log.ts'
import type { RoomEvent } from '#lib/workshop/session/event-schema.ts'
import { workshopParticipant } from '#lib/workshop/session/event-table.ts'
import { initialRoomState } from '#lib/workshop/session/state-rules.ts'
import { createWorkshop } from '#lib/workshop/settings/create.ts'
import type { CopyModuleData } from '#lib/workshop/settings/duplicate.ts'
import { workshop, workshopSession } from '#lib/workshop/table.ts'
import { recordPlanFileUse } from './file-use.ts'
import { ensurePlan, requireVideoFile } from './plan.ts'
import type { MakeFromVideo, MakeFromWebinar, ScriptEntry } from './schema.ts'
import { readEntries } from './script.ts'
import { buildScript } from './script-from-log.ts'
import { autoPlan, autoScriptEntry } from './table.ts'

/**
 * Creates an auto-webinar from a finished webinar: its event log becomes the script, its recording becomes the video as
 * soon as it exists. Refuses with unprocessable while the webinar is not finished, or when the plan's number of events
 * is used up; with forbidden, plan_inactive, not_found.
 */
export async function makeFromWebinar(
  actor: Actor,
  input: MakeFromWebinar,
): Promise<{ workshopId: string; entries: number }> {
  requireEventPermission(canCreateWorkshop(actor))
  requireWorkshopPlan(actor)
  const { keepTally, title, ...source } = input
  return inTenant(actor, async (tx) => {
    const { session, event } = await findSourceSession(tx, source)
    await requireManagedWorkshop(tx, actor, event.id)
    if (!session.startedAt || !session.finishedAt) {
      throw formRefusal('webinar_not_over')
    }
    const { description, coverFileId, language, timeZone, access, slidesFileId, settings } = event
    const lengthMs = session.finishedAt.getTime() - session.startedAt.getTime()
    const plannedMinutes = Math.min(1440, Math.max(5, Math.ceil(lengthMs / MINUTE_MS)))
    const { workshopId } = await createWorkshop(actor, {
      type: 'autoWebinar',
      title: title ?? defaultTitle(actor, event.title),
      description,
      coverFileId,
      language,
      timeZone,
      access,
      slidesFileId,
      startAt: null,
      plannedMinutes,
      source: 'file',
    })
    await ensurePlan(tx, actor.tenantId, workshopId, {
      videoMs: lengthMs,
      sourceSessionId: session.id,
      watchedBefore: await countViewers(tx, session.id),
    })
    const entries = buildScript(await readScriptEvents(tx, session.id), {
      initialState: initialRoomState(settings.chat, slidesFileId),
      language,
      salt: workshopId,
      keepTally,
      startedAt: session.startedAt.getTime(),
      finishedAt: session.finishedAt.getTime(),
    })
    await insertEntries(tx, actor, workshopId, entries)
    await recordPlanFileUse(tx, actor, workshopId)
    return { workshopId, entries: entries.length }
  })
}

/**
 * Creates an auto-webinar from a video, with an empty script. Refuses like createWorkshop, and with wrong_type for a
 * file that is no video.
 */
export async function makeFromVideo(actor: Actor, input: MakeFromVideo): Promise<{ workshopId: string }> {
  requireEventPermission(canCreateWorkshop(actor))
  requireWorkshopPlan(actor)
  const { fileId, title, timeZone, language, plannedMinutes } = input
  return inTenant(actor, async (tx) => {
    if (fileId) await requireVideoFile(actor, fileId)
    const [chosenVideo] = fileId
      ? await tx.select({ seconds: video.duration }).from(video).where(eq(video.fileId, fileId))
      : []
    const minutes = chosenVideo?.seconds
      ? Math.min(1440, Math.max(5, Math.ceil(chosenVideo.seconds / 60)))
      : plannedMinutes
    const { workshopId } = await createWorkshop(actor, {
      type: 'autoWebinar',
      title,
      description: '',
      coverFileId: null,
      language,
      startAt: null,
      timeZone,
      plannedMinutes: minutes,
      access: 'registration',
      source: 'file',
      slidesFileId: null,
    })
    await ensurePlan(tx, actor.tenantId, workshopId, fileId ? { videoFileId: fileId } : {})
    await recordPlanFileUse(tx, actor, workshopId)
    return { workshopId }
  })
}

/** Copies plan and script when an auto-webinar is duplicated; registered with the workshop module. */
export const copyAutowebinar: CopyModuleData = async (tx, actor, { from, to, items }) => {
  const [plan] = await tx.select().from(autoPlan).where(eq(autoPlan.workshopId, from))
  if (!plan) return
  const { videoFileId, videoMs, videoOffsetMs, sourceSessionId, quietHours, capacity, mutedTracks } = plan
  const { mayRestart, mayPause, disclosure, watchedBefore } = plan
  await ensurePlan(tx, actor.tenantId, to, {
    videoFileId,
    videoMs,
    videoOffsetMs,
    sourceSessionId,
    quietHours,
    capacity,
    mutedTracks,
    mayRestart,
    mayPause,
    disclosure,
    watchedBefore,
    // Dates of the original do not apply to the copy.
    schedule: { ...plan.schedule, dates: [] },
  })
  const ids = new Map<string, string>(items)
  const named = (await readEntries(tx, from)).map((entry) => ({
    ...entry,
    payload: withNewIds(entry, ids),
    id: newId(),
  }))
  await insertEntries(tx, actor, to, named as ScriptEntry[])
  await recordPlanFileUse(tx, actor, to)
}

/** Inserts script entries, a thousand per statement. */
export async function insertEntries(
  tx: Tx,
  { tenantId }: Pick<Actor, 'tenantId'>,
  workshopId: string,
  entries: readonly Pick<ScriptEntry, 'id' | 'offsetMs' | 'position' | 'track' | 'type' | 'payload'>[],
): Promise<number> {
  let insertedCount = 0
  for (let start = 0; start < entries.length; start += 1000) {
    const rows = entries.slice(start, start + 1000).map(({ id, offsetMs, position, track, type, payload }) => ({
      tenantId,
      workshopId,
      id,
      offsetMs,
      position,
      track,
      type,
      payload,
    }))
    const inserted = await tx
      .insert(autoScriptEntry)
      .values(rows)
      .onConflictDoNothing()
      .returning({ id: autoScriptEntry.id })
    insertedCount += inserted.length
  }
  return insertedCount
}

async function findSourceSession(
  tx: Tx,
  { workshopId, sessionId }: { workshopId?: string | undefined; sessionId?: string | undefined },
) {
  const [row] = await tx
    .select({ session: workshopSession, event: workshop })
    .from(workshopSession)
    .innerJoin(workshop, eq(workshop.id, workshopSession.workshopId))
    .where(
      and(
        eq(workshopSession.kind, 'live'),
        sessionId ? eq(workshopSession.id, sessionId) : eq(workshop.id, workshopId ?? ''),
      ),
    )
  if (!row) throw new Refusal('not_found')
  return row
}

/**
 * The log is read in pages of the needed types: hundreds of thousands of votes and clicks of a large webinar are
 * skipped.
 */
async function readScriptEvents(tx: Tx, sessionId: string): Promise<RoomEvent[]> {
  const log: RoomEvent[] = []
  for (;;) {
    const page = await readEvents(tx, sessionId, {
      after: log.at(-1)?.seq ?? 0,
      types: SCRIPT_EVENT_TYPES,
      limit: 5000,
      reader: 'staff',
    })
    log.push(...page)
    if (page.length < 5000) return log
  }
}

const SCRIPT_EVENT_TYPES: readonly RoomEvent['type'][] = [...SCRIPT_ENTRY_TYPES, 'messageShown', 'messageDeleted']

async function countViewers(tx: Tx, sessionId: string): Promise<number> {
  const [row] = await tx
    .select({ viewers: count() })
    .from(workshopParticipant)
    .where(and(eq(workshopParticipant.sessionId, sessionId), eq(workshopParticipant.role, 'viewer')))
  return row?.viewers ?? 0
}

const defaultTitle = (actor: Actor, title: string): string =>
  getTranslator(actor.locale)('autowebinar:made.title', { title }).slice(0, 200)

/** A copied entry with new ids: of its own messages, and of the items of the new event. */
function withNewIds(entry: ScriptEntry, ids: Map<string, string>): object {
  const fields = Object.entries(entry.payload).map(([key, value]) => {
    if (!/^(messageId|replyTo|buttonId|pollId|handoutId)$/.test(key) || typeof value !== 'string') return [key, value]
    const replacementId = ids.get(value) ?? newId()
    ids.set(value, replacementId)
    return [key, replacementId]
  })
  return Object.fromEntries(fields)
}
