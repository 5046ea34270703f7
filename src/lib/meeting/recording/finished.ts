import { and, asc, eq, gt, inArray, isNull, ne } from 'drizzle-orm'
import { readPlan } from '#lib/autowebinar/plan.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { ANYONE } from '#lib/core/files/url-token.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { DAY_MS, HOUR_MS } from '#lib/core/shared/time.ts'
import { file } from '#lib/storage/table.ts'
import { openPlayback } from '#lib/storage/video/playback.ts'
import { isOverQuota } from '#lib/storage/video/store-recording.ts'
import { resolveHandouts } from '#lib/workshop/document.ts'
import { hasRight } from '#lib/workshop/rules.ts'
import type { ButtonContent, HandoutContent } from '#lib/workshop/session/event-schema.ts'
import { workshopEvent } from '#lib/workshop/session/event-table.ts'
import { workshop, workshopSession } from '#lib/workshop/table.ts'
import { hasAttended } from '../admission/attended.ts'
import { type RoomParticipant, requireSeat } from '../admission/seat.ts'
import { type EventRow, readEvent, readMeetingSummary } from '../meeting-summary.ts'
import { meetingRating } from '../table.ts'
import { readReplaySlides } from './replay-slides.ts'
import type { FinishedView, NoReplay, ReplayView } from './schema.ts'
import { preliminaryVideoIdOf } from './video-id.ts'

/**
 * Data of the page after an event; the video URLs are signed for `actor`, if signed in. Refuses with unauthorized,
 * forbidden (banned), not_found.
 */
export async function getFinished(
  { seatToken }: { seatToken: string },
  actor: Actor | null,
  now = new Date(),
): Promise<FinishedView> {
  const participant = await requireSeat(seatToken)
  return inTenant(participant, async (tx) => {
    const event = await readEvent(tx, participant.workshopId)
    const log = await readShownItems(tx, participant.sessionId)
    return {
      workshop: await readMeetingSummary(tx, event, participant.session.startAt),
      sessionId: participant.sessionId,
      seatToken,
      name: participant.profile.name,
      staff: hasRight(participant.role, 'moderate'),
      attended: await hasAttended(tx, participant),
      over: participant.session.finishedAt !== null,
      replay: await readReplay(tx, participant, event, actor, now),
      full: hasRight(participant.role, 'moderate') && (await isOverQuota(tx, participant.tenantId)),
      materials: await resolveHandouts(tx, participant.tenantId, log.handouts),
      buttons: log.buttons,
      rating: await readRating(tx, participant),
      next: await findNextEvent(tx, event.id, now),
    }
  })
}

/** Whether the video is available, for a page that waits for it. Refuses like getFinished. */
export async function getReplay(input: { seatToken: string }, now = new Date()): Promise<{ is: ReplayView['is'] }> {
  const participant = await requireSeat(input.seatToken)
  return inTenant(participant, async (tx) => {
    const event = await readEvent(tx, participant.workshopId)
    const video = await readSessionVideo(tx, participant)
    return { is: findReplayAbsence(event, video, now) ?? 'ready' }
  })
}

/** After this time without a video the composition has failed, or nothing was recorded. */
const COMPOSE_LIMIT_MS = 3 * HOUR_MS

type SessionVideo = Awaited<ReturnType<typeof readSessionVideo>>

// An auto-webinar session has no video of its own: it plays the plan's.
async function readSessionVideo(tx: Tx, { sessionId, workshopId }: Pick<RoomParticipant, 'sessionId' | 'workshopId'>) {
  const { kind, videoFileId, videoOffsetMs, startedAt, finishedAt } = workshopSession
  const [row] = await tx
    .select({ kind, videoFileId, videoOffsetMs, startedAt, finishedAt })
    .from(workshopSession)
    .where(eq(workshopSession.id, sessionId))
  if (!row) throw new Refusal('not_found')
  const isPreliminary = row.kind === 'live' && row.finishedAt !== null && row.videoFileId === null
  if (isPreliminary && (await hasFile(tx, preliminaryVideoIdOf(sessionId)))) {
    const videoFileId = preliminaryVideoIdOf(sessionId)
    return { ...row, videoFileId, videoOffsetMs: 0, isPending: false, isPreliminary }
  }
  if (row.kind !== 'auto') return { ...row, isPending: false, isPreliminary: false }
  const plan = await readPlan(tx, workshopId)
  return {
    ...row,
    videoFileId: plan?.videoFileId ?? null,
    videoOffsetMs: plan?.videoOffsetMs ?? 0,
    isPending: plan?.isVideoPending ?? false,
    isPreliminary: false,
  }
}

async function hasFile(tx: Tx, fileId: string): Promise<boolean> {
  const rows = await tx
    .select({ id: file.id })
    .from(file)
    .where(and(eq(file.id, fileId), isNull(file.deletedAt)))
  return rows.length > 0
}

function findReplayAbsence(
  { settings }: EventRow,
  { kind, isPending, videoFileId, startedAt, finishedAt }: SessionVideo,
  now: Date,
): NoReplay | null {
  const { enabled, days } = settings.replay
  if (!enabled) return 'off'
  if (days !== null && finishedAt && finishedAt.getTime() + days * DAY_MS < now.getTime()) return 'expired'
  if (videoFileId) return null
  if (kind === 'auto') return isPending ? 'making' : 'none'
  const isComposing =
    startedAt && settings.record && (!finishedAt || finishedAt.getTime() + COMPOSE_LIMIT_MS > now.getTime())
  return isComposing ? 'making' : 'none'
}

async function readReplay(
  tx: Tx,
  participant: RoomParticipant,
  event: EventRow,
  actor: Actor | null,
  now: Date,
): Promise<ReplayView> {
  const { tenantId, personId } = participant
  const video = await readSessionVideo(tx, participant)
  const absence = findReplayAbsence(event, video, now)
  if (absence || !video.videoFileId) return { is: absence ?? 'none' }
  const ownActor = actor?.tenantId === tenantId ? actor : null
  const guest = { tenantId, viewer: ANYONE, membershipId: personId, roles: [] }
  const view = await openPlayback(ownActor ?? guest, video.videoFileId).catch((error: unknown) => {
    if (error instanceof Refusal && error.code === 'not_found') return null
    throw error
  })
  if (!view) return { is: 'none' }
  const { days, chat, seek } = event.settings.replay
  const until = days !== null && video.finishedAt ? video.finishedAt.getTime() + days * DAY_MS : null
  const { videoOffsetMs, kind, isPreliminary } = video
  const slides = await readReplaySlides(tx, participant, videoOffsetMs)
  return { is: 'ready', video: view, isPreliminary, videoOffsetMs, until, seek, slides, chat: chat && kind !== 'auto' }
}

// Contents are stored in the log, so a later deletion does not affect past participants.
async function readShownItems(tx: Tx, sessionId: string) {
  const rows = await tx
    .select({ type: workshopEvent.type, payload: workshopEvent.payload })
    .from(workshopEvent)
    .where(
      and(
        eq(workshopEvent.sessionId, sessionId),
        inArray(workshopEvent.type, ['button.show', 'handout.show', 'handout.hide']),
      ),
    )
    .orderBy(asc(workshopEvent.seq))
  const buttons = new Map<string, ButtonContent>()
  const handouts = new Map<string, HandoutContent>()
  for (const { type, payload } of rows) {
    // The payload was checked against its type when it was written.
    if (type === 'button.show') {
      const { buttonId, content } = payload as { buttonId: string; content: ButtonContent }
      buttons.set(buttonId, content)
    } else if (type === 'handout.show') {
      const { handoutId, content } = payload as { handoutId: string; content: HandoutContent }
      handouts.set(handoutId, content)
    } else handouts.delete((payload as { handoutId: string }).handoutId)
  }
  return {
    buttons: [...buttons].map(([id, content]) => ({ id, content })),
    handouts: [...handouts].map(([id, content]) => ({ id, content })),
  }
}

async function readRating(tx: Tx, { sessionId, personId }: RoomParticipant) {
  const { stars, text } = meetingRating
  const [row] = await tx
    .select({ stars, text })
    .from(meetingRating)
    .where(and(eq(meetingRating.sessionId, sessionId), eq(meetingRating.personId, personId)))
  return row ?? null
}

async function findNextEvent(tx: Tx, workshopId: string, now: Date): Promise<FinishedView['next']> {
  const { id, title, startAt, timeZone } = workshop
  const [row] = await tx
    .select({ id, title, startAt, timeZone })
    .from(workshop)
    .where(
      and(
        ne(id, workshopId),
        eq(workshop.type, 'webinar'),
        eq(workshop.publication, 'published'),
        inArray(workshop.access, ['open', 'registration']),
        isNull(workshop.canceledAt),
        isNull(workshop.archivedAt),
        isNull(workshop.deletedAt),
        gt(startAt, now),
      ),
    )
    .orderBy(asc(startAt), asc(id))
    .limit(1)
  return row?.startAt ? { ...row, startAt: row.startAt.toISOString() } : null
}
