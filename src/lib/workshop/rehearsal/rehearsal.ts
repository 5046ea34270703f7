import { and, desc, eq, inArray, isNull } from 'drizzle-orm'
import { getSfuStatus, streamEndpoints } from '#lib/core/broadcast/broadcast.ts'
import { runHeadlessViewers, type ViewingReport } from '#lib/core/broadcast/headless-viewers.ts'
import { signStreamToken } from '#lib/core/broadcast/stream-token.ts'
import type { IceServer } from '#lib/core/config/ice-servers.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { file } from '#lib/storage/table.ts'
import { requireManagedWorkshop } from '../permission.ts'
import { appendEvents } from '../session/event-log.ts'
import { initialRoomState } from '../session/state-rules.ts'
import { readItems } from '../settings/item.ts'
import { lockWorkshopRow } from '../settings/save.ts'
import { workshopSession } from '../table.ts'

export interface Rehearsal {
  rehearsalId: string
  /** WHIP endpoint of the test stream. */
  endpoint: string
  token: string
  iceServers: IceServer[]
}

const STREAM_TOKEN_TTL_SECONDS = 15 * 60
const TEST_VIEWERS = { viewers: 8, seconds: 5 }

/**
 * Starts a rehearsal of an event, or resumes an unfinished one: a session of its own, without viewers and statistics.
 * Refuses with forbidden, plan_inactive, not_found.
 */
export function beginRehearsal(actor: Actor, input: { workshopId: string }): Promise<Rehearsal> {
  const { workshopId } = input
  return inTenant(actor, async (tx) => {
    await requireManagedWorkshop(tx, actor, workshopId)
    const { settings, slidesFileId, plannedMinutes } = await lockWorkshopRow(tx, workshopId)
    const rehearsalId = (await findOpenRehearsal(tx, workshopId)) ?? newId()
    const { tenantId, membershipId } = actor
    const state = initialRoomState(settings.chat, slidesFileId)
    const [made] = await tx
      .insert(workshopSession)
      .values({ tenantId, id: rehearsalId, workshopId, kind: 'rehearsal', startAt: new Date(), plannedMinutes, state })
      .onConflictDoNothing()
      .returning({ id: workshopSession.id })
    if (made) await appendEvents(tx, { tenantId, id: rehearsalId }, [{ type: 'webinar.start', payload: {} }])
    const stream = cameraStreamOf(actor)
    const issued = Math.floor(Date.now() / 1000)
    const { whip, iceServers } = streamEndpoints(rehearsalId, stream)
    const claims = { tenantId, room: rehearsalId, participant: membershipId, stream, direction: 'publish' as const }
    const token = signStreamToken(claims, { issuedAt: issued, expiresAt: issued + STREAM_TOKEN_TTL_SECONDS })
    return { rehearsalId, endpoint: whip, token, iceServers: [...iceServers] }
  })
}

/**
 * Lets a few headless viewers play the caller's test stream; without a stream, or with another media server, they
 * receive nothing. Refuses like beginRehearsal.
 */
export async function watchRehearsal(actor: Actor, input: { rehearsalId: string }): Promise<ViewingReport> {
  const { rehearsalId } = input
  await inTenant(actor, (tx) => requireRehearsal(tx, actor, rehearsalId))
  if (!(await isRehearsalPublishing(rehearsalId)))
    return { viewers: TEST_VIEWERS.viewers, receivingCount: 0, minFrames: 0, maxFrames: 0 }
  return runHeadlessViewers({ room: rehearsalId, stream: cameraStreamOf(actor), ...TEST_VIEWERS })
}

/** Finishes a rehearsal. Idempotent. Refuses like beginRehearsal. */
export function finishRehearsal(actor: Actor, input: { rehearsalId: string }): Promise<{ finished: true }> {
  const { rehearsalId } = input
  return inTenant(actor, async (tx) => {
    const { finishedAt } = await requireRehearsal(tx, actor, rehearsalId)
    const ref = { tenantId: actor.tenantId, id: rehearsalId }
    if (!finishedAt) await appendEvents(tx, ref, [{ type: 'webinar.finish', payload: {} }])
    return { finished: true }
  })
}

/** End of the last rehearsal of an event; null when there was none. */
export function findLastRehearsalEnd(actor: Actor, input: { workshopId: string }): Promise<Date | null> {
  const { workshopId } = input
  return inTenant(actor, async (tx) => {
    await requireManagedWorkshop(tx, actor, workshopId)
    const [row] = await tx
      .select({ finishedAt: workshopSession.finishedAt })
      .from(workshopSession)
      .where(and(eq(workshopSession.workshopId, workshopId), eq(workshopSession.kind, 'rehearsal')))
      .orderBy(desc(workshopSession.startAt))
      .limit(1)
    return row?.finishedAt ?? null
  })
}

export interface RehearsalPlan {
  /** Links of buttons and hand-outs. */
  links: { name: string; url: string }[]
  handouts: number
  /** Names of hand-outs whose file is deleted. */
  missingHandouts: string[]
  slides: 'none' | 'available' | 'missing'
  /** Planned length, and whether it is to be recorded. */
  minutes: number
  records: boolean
}

/** Checks of an event by a rehearsal. The caller has checked the permission. */
export async function readRehearsalPlan(tx: Tx, workshopId: string): Promise<RehearsalPlan> {
  const { slidesFileId, plannedMinutes, settings } = await lockWorkshopRow(tx, workshopId)
  const { button, handout } = await readItems(tx, workshopId)
  const fileIds = [slidesFileId, ...handout.map(({ content }) => content.fileId)].filter((id) => id !== null)
  const rows = fileIds.length > 0 ? await tx.select({ id: file.id }).from(file).where(isStoredFile(fileIds)) : []
  const storedFileIds = new Set(rows.map(({ id }) => id))
  const withMissingFile = handout.filter(({ content: { fileId } }) => fileId !== null && !storedFileIds.has(fileId))
  return {
    links: [
      ...button.map(({ content: { label, url } }) => ({ name: label, url })),
      ...handout.flatMap(({ content: { title, url } }) => (url ? [{ name: title, url }] : [])),
    ],
    handouts: handout.length,
    missingHandouts: withMissingFile.map(({ content }) => content.title),
    slides: slidesFileId === null ? 'none' : storedFileIds.has(slidesFileId) ? 'available' : 'missing',
    minutes: plannedMinutes,
    records: settings.record,
  }
}

/** Requires permission to change the rehearsed event. Refuses like beginRehearsal. */
export async function requireRehearsal(tx: Tx, actor: Actor, rehearsalId: string) {
  const { workshopId, finishedAt, kind, startedAt } = workshopSession
  const [row] = await tx
    .select({ workshopId, finishedAt, kind, startedAt })
    .from(workshopSession)
    .where(eq(workshopSession.id, rehearsalId))
  if (row?.kind !== 'rehearsal') throw new Refusal('not_found')
  await requireManagedWorkshop(tx, actor, row.workshopId)
  return row
}

export async function isRehearsalPublishing(room: string): Promise<boolean> {
  const now = await getSfuStatus()
  return now?.streams.some((stream) => stream.room === room && stream.isPublished) ?? false
}

const cameraStreamOf = ({ membershipId }: Actor): string => `${membershipId}-camera`
const isStoredFile = (ids: readonly string[]) => and(inArray(file.id, [...ids]), isNull(file.deletedAt))

async function findOpenRehearsal(tx: Tx, workshopId: string): Promise<string | null> {
  const { id, kind, finishedAt } = workshopSession
  const [row] = await tx
    .select({ id })
    .from(workshopSession)
    .where(and(eq(workshopSession.workshopId, workshopId), eq(kind, 'rehearsal'), isNull(finishedAt)))
    .limit(1)
  return row?.id ?? null
}
