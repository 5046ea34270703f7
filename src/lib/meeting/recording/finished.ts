import { and, asc, eq, gt, inArray, isNull, ne } from 'drizzle-orm'
import { planOf } from '#lib/autowebinar/plan.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { ANYONE } from '#lib/core/files/ticket.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { openPlayback } from '#lib/storage/video/playback.ts'
import { isOverfull } from '#lib/storage/video/recording-upload.ts'
import { addressed } from '#lib/workshop/document.ts'
import { hasRight } from '#lib/workshop/rules.ts'
import type { ButtonContent, HandoutContent } from '#lib/workshop/session/event-schema.ts'
import { workshopEvent } from '#lib/workshop/session/event-table.ts'
import { workshop, workshopSession } from '#lib/workshop/table.ts'
import { hasAttended } from '../admission/attended.ts'
import { mustSit, type Sitting } from '../admission/seat.ts'
import { headOf, loadWorkshop, type Workshop } from '../head.ts'
import { meetingRating } from '../table.ts'
import { slidesOf } from './replay-slides.ts'
import type { FinishedView, NoReplay, ReplayView } from './schema.ts'

/**
 * What somebody finds after an event; `actor` is whoever is signed in, for whom the film's addresses open then. Refuses
 * with unauthorized, forbidden (banned), not_found.
 */
export async function getFinished(
  { ticket }: { ticket: string },
  actor: Actor | null,
  now = new Date(),
): Promise<FinishedView> {
  const sitting = await mustSit(ticket)
  return inTenant(sitting, async (tx) => {
    const event = await loadWorkshop(tx, sitting.workshopId)
    const log = await shownIn(tx, sitting.sessionId)
    return {
      workshop: await headOf(tx, event, sitting.session.startAt),
      ticket,
      name: sitting.participant.name,
      staff: hasRight(sitting.role, 'moderate'),
      attended: await hasAttended(tx, sitting),
      over: sitting.session.finishedAt !== null,
      replay: await replayOf(tx, sitting, event, actor, now),
      full: hasRight(sitting.role, 'moderate') && (await isOverfull(tx, sitting.tenantId)),
      materials: await addressed(tx, sitting.tenantId, log.handouts),
      buttons: log.buttons,
      rating: await ratingOf(tx, sitting),
      next: await nextOf(tx, event.id, now),
    }
  })
}

/** Whether the film is there by now: for a page that waits for it. Refuses likewise. */
export async function getReplay(input: { ticket: string }, now = new Date()): Promise<{ is: ReplayView['is'] }> {
  const sitting = await mustSit(input.ticket)
  return inTenant(sitting, async (tx) => {
    const event = await loadWorkshop(tx, sitting.workshopId)
    const film = await filmOf(tx, sitting)
    return { is: noReplay(event, film, now) ?? 'ready' }
  })
}

/** A recording that is no film after so long has failed, or there was none. */
const MAKING_MS = 3 * 3_600_000
const DAY_MS = 86_400_000

type Film = Awaited<ReturnType<typeof filmOf>>

// A showing has no film of its own: it is the plan's, there already or on its way.
async function filmOf(tx: Tx, { sessionId, workshopId }: Pick<Sitting, 'sessionId' | 'workshopId'>) {
  const { kind, filmFileId, filmOffsetMs, startedAt, finishedAt } = workshopSession
  const [found] = await tx
    .select({ kind, filmFileId, filmOffsetMs, startedAt, finishedAt })
    .from(workshopSession)
    .where(eq(workshopSession.id, sessionId))
  if (!found) throw new Refusal('not_found')
  if (found.kind !== 'auto') return { ...found, comes: false }
  const plan = await planOf(tx, workshopId)
  const { filmFileId: film = null, filmOffsetMs: offset = 0, filmComes = false } = plan ?? {}
  return { ...found, filmFileId: film, filmOffsetMs: offset, comes: filmComes }
}

function noReplay(
  { settings }: Workshop,
  { kind, comes, filmFileId, startedAt, finishedAt }: Film,
  now: Date,
): NoReplay | null {
  const { enabled, days } = settings.replay
  if (!enabled) return 'off'
  if (days !== null && finishedAt && finishedAt.getTime() + days * DAY_MS < now.getTime()) return 'expired'
  if (filmFileId) return null
  if (kind === 'auto') return comes ? 'making' : 'none'
  const waits = startedAt && settings.record && (!finishedAt || finishedAt.getTime() + MAKING_MS > now.getTime())
  return waits ? 'making' : 'none'
}

async function replayOf(
  tx: Tx,
  sitting: Sitting,
  event: Workshop,
  actor: Actor | null,
  now: Date,
): Promise<ReplayView> {
  const { tenantId, personId } = sitting
  const film = await filmOf(tx, sitting)
  const no = noReplay(event, film, now)
  if (no || !film.filmFileId) return { is: no ?? 'none' }
  const own = actor?.tenantId === tenantId ? actor : null
  const guest = { tenantId, viewer: ANYONE, membershipId: personId, roles: [] }
  const view = await openPlayback(own ?? guest, film.filmFileId).catch((error: unknown) => {
    if (error instanceof Refusal && error.code === 'not_found') return null
    throw error
  })
  if (!view) return { is: 'none' }
  const { days, chat, seek } = event.settings.replay
  const until = days !== null && film.finishedAt ? film.finishedAt.getTime() + days * DAY_MS : null
  const { filmOffsetMs, kind } = film
  const slides = await slidesOf(tx, sitting, filmOffsetMs)
  return { is: 'ready', film: view, filmOffsetMs, until, seek, slides, chat: chat && kind !== 'auto' }
}

// Contents stand in the log, so that a later deletion takes nothing away from who was there.
async function shownIn(tx: Tx, sessionId: string) {
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

async function ratingOf(tx: Tx, { sessionId, personId }: Sitting) {
  const { stars, text } = meetingRating
  const [found] = await tx
    .select({ stars, text })
    .from(meetingRating)
    .where(and(eq(meetingRating.sessionId, sessionId), eq(meetingRating.personId, personId)))
  return found ?? null
}

async function nextOf(tx: Tx, workshopId: string, now: Date): Promise<FinishedView['next']> {
  const { id, title, startAt, timeZone } = workshop
  const [found] = await tx
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
  return found?.startAt ? { ...found, startAt: found.startAt.toISOString() } : null
}
