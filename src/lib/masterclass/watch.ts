import { and, eq } from 'drizzle-orm'
import { inTenant } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { PlaybackView } from '#lib/storage/schema.ts'
import { openPlayback } from '#lib/storage/video/playback.ts'
import { type HandoutLink, resolveHandouts } from '#lib/workshop/document.ts'
import { appendEvents } from '#lib/workshop/session/event-log.ts'
import type { ButtonContent, NewEvent } from '#lib/workshop/session/event-schema.ts'
import { readItems } from '#lib/workshop/settings/item.ts'
import { hasExpired, mergeWatchedRanges, openState, partOpensAt, timerEnd, type WatchedRange } from './rules.ts'
import type { EndVisit, MasterclassPart, RecordButton, RecordWatching } from './schema.ts'
import { masterclassWatch } from './table.ts'
import { findVisit, type MasterclassVisitor, playbackActor, type Visit } from './visit.ts'

export interface PartView {
  id: string
  title: string
  text: string
  chapters: MasterclassPart['chapters']
  /** When it opens; null: it is open. */
  opensAt: Date | null
  video: PlaybackView | null
  second: number
  watched: WatchedRange[]
  calls: { buttonId: string; at: number; content: ButtonContent }[]
}

export interface WatchView {
  name: string
  /** Whether the page is open now. */
  state: 'early' | 'open' | 'over'
  /** Whether this visitor's time to watch has expired. */
  isExpired: boolean
  timerEnd: Date | null
  parts: PartView[]
  handouts: HandoutLink[]
}

/** The content that a visitor may watch now. Null for an invalid key; refuses with not_found for an unknown page. */
export async function readWatchView(
  visitor: MasterclassVisitor,
  workshopId: string,
  key: string,
  now = new Date(),
): Promise<WatchView | null> {
  const visit = await findVisit(visitor, workshopId, key, now)
  if (!visit) return null
  const { content, firstAt, name } = visit
  const isExpired = hasExpired(content, firstAt, now)
  const state = openState(content, now)
  const isOpen = !isExpired && state === 'open'
  const { items, places, handouts } = await inTenant(visitor, async (tx) => {
    const items = await readItems(tx, workshopId)
    const places = await tx
      .select()
      .from(masterclassWatch)
      .where(eq(masterclassWatch.participantId, visit.participantId))
    return { items, places, handouts: isOpen ? await resolveHandouts(tx, visitor.tenantId, items.handout) : [] }
  })
  const buttons = new Map(items.button.map(({ id, content: button }) => [id, button]))
  const parts: PartView[] = []
  for (const part of content.parts) {
    const opens = partOpensAt(part, firstAt)
    const open = isOpen && (opens === null || opens <= now)
    const place = places.find(({ partId }) => partId === part.id)
    parts.push({
      id: part.id,
      title: part.title,
      text: part.text,
      chapters: part.chapters,
      opensAt: opens !== null && opens > now ? opens : null,
      video: open && part.fileId ? await openPartVideo(visit, visitor.tenantId, part.fileId) : null,
      second: place?.second ?? 0,
      watched: place?.watched ?? [],
      calls: content.calls.flatMap(({ buttonId, partId, at }) => {
        const button = open ? buttons.get(buttonId) : undefined
        return partId === part.id && button ? [{ buttonId, at, content: button }] : []
      }),
    })
  }
  return { name, state, isExpired, timerEnd: timerEnd(content, firstAt), parts, handouts }
}

/** Saves a visitor's progress; watched ranges only grow. Refuses with not_found. */
export async function recordWatching(
  visitor: MasterclassVisitor,
  input: RecordWatching,
  now = new Date(),
): Promise<void> {
  const { workshopId, key, partId, second, watched } = input
  const visit = await requireVisit(visitor, workshopId, key, now)
  if (!visit.content.parts.some(({ id }) => id === partId)) throw new Refusal('not_found')
  const { participantId } = visit
  await inTenant(visitor, async (tx) => {
    const isWatchOfPart = and(eq(masterclassWatch.participantId, participantId), eq(masterclassWatch.partId, partId))
    await tx
      .insert(masterclassWatch)
      .values({ tenantId: visitor.tenantId, workshopId, participantId, partId })
      .onConflictDoNothing()
    const [row] = await tx
      .select({ watched: masterclassWatch.watched })
      .from(masterclassWatch)
      .where(isWatchOfPart)
      .for('update')
    const all = mergeWatchedRanges([...(row?.watched ?? []), ...watched])
    await tx.update(masterclassWatch).set({ second, watched: all, updatedAt: now }).where(isWatchOfPart)
  })
}

/** Records that a visitor saw a button. Idempotent. Refuses with not_found. */
export const recordMasterclassButtonSeen = (
  visitor: MasterclassVisitor,
  input: RecordButton,
  now = new Date(),
): Promise<void> => recordButtonEvent(visitor, input, 'user.sawButton', now)

/** Records that a visitor clicked a button. Refuses with not_found. */
export const recordMasterclassButtonClick = (
  visitor: MasterclassVisitor,
  input: RecordButton,
  now = new Date(),
): Promise<void> => recordButtonEvent(visitor, input, 'user.click', now)

/** Records that a visitor left. Idempotent. Refuses with not_found. */
export async function endVisit(visitor: MasterclassVisitor, input: EndVisit, now = new Date()): Promise<void> {
  const { workshopId, key } = input
  await appendVisitEvent(
    visitor,
    await requireVisit(visitor, workshopId, key, now),
    (actorId) => ({ type: 'user.leave', actorId, payload: {} }),
    now,
  )
}

async function recordButtonEvent(
  visitor: MasterclassVisitor,
  input: RecordButton,
  type: 'user.sawButton' | 'user.click',
  now: Date,
): Promise<void> {
  const { workshopId, key, buttonId } = input
  const visit = await requireVisit(visitor, workshopId, key, now)
  if (!visit.content.calls.some((call) => call.buttonId === buttonId)) throw new Refusal('not_found')
  const once = type === 'user.sawButton' ? { clientId: `saw ${buttonId}` } : {}
  await appendVisitEvent(visitor, visit, (actorId) => ({ type, actorId, payload: { buttonId }, ...once }), now)
}

async function appendVisitEvent(
  visitor: MasterclassVisitor,
  visit: Visit,
  event: (actorId: string) => NewEvent,
  now: Date,
): Promise<void> {
  const session = { tenantId: visitor.tenantId, id: visit.sessionId }
  await inTenant(visitor, (tx) => appendEvents(tx, session, [event(visit.participantId)], now))
}

async function requireVisit(visitor: MasterclassVisitor, workshopId: string, key: string, now: Date): Promise<Visit> {
  const visit = await findVisit(visitor, workshopId, key, now)
  if (!visit) throw new Refusal('not_found')
  return visit
}

// For a deleted or unprocessed video, the page shows a message instead of a player.
async function openPartVideo({ participantId }: Visit, tenantId: string, fileId: string): Promise<PlaybackView | null> {
  try {
    return await openPlayback(playbackActor(tenantId, participantId), fileId)
  } catch (error) {
    if (error instanceof Refusal && error.code === 'not_found') return null
    throw error
  }
}
