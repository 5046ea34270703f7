import { and, eq } from 'drizzle-orm'
import { inTenant } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { PlaybackView } from '#lib/storage/schema.ts'
import { openPlayback } from '#lib/storage/video/playback.ts'
import { addressed, type GivenHandout } from '#lib/workshop/document.ts'
import { appendEvents } from '#lib/workshop/session/event-log.ts'
import type { ButtonContent, NewEvent } from '#lib/workshop/session/event-schema.ts'
import { itemsOf } from '#lib/workshop/settings/item.ts'
import { isOpen, isSpent, mergeStretches, opensAt, type Stretch, timerEnd } from './rules.ts'
import { EndVisit, NoteButton, NoteWatching, type Part } from './schema.ts'
import { masterclassWatch } from './table.ts'
import { type Comer, findVisit, type Visit, visitorAt } from './visit.ts'

export interface PartView {
  id: string
  title: string
  text: string
  chapters: Part['chapters']
  /** Since when it is open; null: it is. */
  opensAt: Date | null
  film: PlaybackView | null
  second: number
  watched: Stretch[]
  calls: { buttonId: string; at: number; content: ButtonContent }[]
}

export interface Watching {
  name: string
  /** Whether the page is open for anybody now. */
  state: 'early' | 'open' | 'over'
  /** Whether this visitor's days are over. */
  spent: boolean
  timerEnd: Date | null
  parts: PartView[]
  handouts: GivenHandout[]
}

/** What a visitor may watch now. Null for a key that opens nothing here; refuses with not_found where there is no page. */
export async function openWatching(
  comer: Comer,
  workshopId: string,
  key: string,
  now = new Date(),
): Promise<Watching | null> {
  const visit = await findVisit(comer, workshopId, key, now)
  if (!visit) return null
  const { content, firstAt, name } = visit
  const spent = isSpent(content, firstAt, now)
  const state = isOpen(content, now)
  const opened = !spent && state === 'open'
  const { items, places, handouts } = await inTenant(comer, async (tx) => {
    const items = await itemsOf(tx, workshopId)
    const places = await tx
      .select()
      .from(masterclassWatch)
      .where(eq(masterclassWatch.participantId, visit.participantId))
    return { items, places, handouts: opened ? await addressed(tx, comer.tenantId, items.handout) : [] }
  })
  const buttons = new Map(items.button.map(({ id, content: button }) => [id, button]))
  const parts: PartView[] = []
  for (const part of content.parts) {
    const opens = opensAt(part, firstAt)
    const open = opened && (opens === null || opens <= now)
    const place = places.find(({ partId }) => partId === part.id)
    parts.push({
      id: part.id,
      title: part.title,
      text: part.text,
      chapters: part.chapters,
      opensAt: opens !== null && opens > now ? opens : null,
      film: open && part.fileId ? await filmOf(visit, comer.tenantId, part.fileId) : null,
      second: place?.second ?? 0,
      watched: place?.watched ?? [],
      calls: content.calls.flatMap(({ buttonId, partId, at }) => {
        const button = open ? buttons.get(buttonId) : undefined
        return partId === part.id && button ? [{ buttonId, at, content: button }] : []
      }),
    })
  }
  return { name, state, spent, timerEnd: timerEnd(content, firstAt), parts, handouts }
}

/** Keeps how far a visitor is; what was watched only grows. Refuses with not_found. */
export async function noteWatching(comer: Comer, input: NoteWatching, now = new Date()): Promise<void> {
  const { workshopId, key, partId, second, watched } = NoteWatching.parse(input)
  const visit = await mustVisit(comer, workshopId, key, now)
  if (!visit.content.parts.some(({ id }) => id === partId)) throw new Refusal('not_found')
  const { participantId } = visit
  await inTenant(comer, async (tx) => {
    const mine = and(eq(masterclassWatch.participantId, participantId), eq(masterclassWatch.partId, partId))
    await tx
      .insert(masterclassWatch)
      .values({ tenantId: comer.tenantId, workshopId, participantId, partId })
      .onConflictDoNothing()
    const [row] = await tx
      .select({ watched: masterclassWatch.watched })
      .from(masterclassWatch)
      .where(mine)
      .for('update')
    const all = mergeStretches([...(row?.watched ?? []), ...watched])
    await tx.update(masterclassWatch).set({ second, watched: all, updatedAt: now }).where(mine)
  })
}

/** Counts that a visitor saw a button; again changes nothing. Refuses with not_found. */
export const sawButton = (comer: Comer, input: NoteButton, now = new Date()): Promise<void> =>
  noteButton(comer, input, 'user.sawButton', now)

/** Counts that a visitor pressed a button. Refuses with not_found. */
export const clickButton = (comer: Comer, input: NoteButton, now = new Date()): Promise<void> =>
  noteButton(comer, input, 'user.click', now)

/** Says that a visitor has gone; again changes nothing. Refuses with not_found. */
export async function endVisit(comer: Comer, input: EndVisit, now = new Date()): Promise<void> {
  const { workshopId, key } = EndVisit.parse(input)
  await note(
    comer,
    await mustVisit(comer, workshopId, key, now),
    (actorId) => ({ type: 'user.leave', actorId, payload: {} }),
    now,
  )
}

async function noteButton(
  comer: Comer,
  input: NoteButton,
  type: 'user.sawButton' | 'user.click',
  now: Date,
): Promise<void> {
  const { workshopId, key, buttonId } = NoteButton.parse(input)
  const visit = await mustVisit(comer, workshopId, key, now)
  if (!visit.content.calls.some((call) => call.buttonId === buttonId)) throw new Refusal('not_found')
  const once = type === 'user.sawButton' ? { clientId: `saw ${buttonId}` } : {}
  await note(comer, visit, (actorId) => ({ type, actorId, payload: { buttonId }, ...once }), now)
}

async function note(comer: Comer, visit: Visit, event: (actorId: string) => NewEvent, now: Date): Promise<void> {
  const session = { tenantId: comer.tenantId, id: visit.sessionId }
  await inTenant(comer, (tx) => appendEvents(tx, session, [event(visit.participantId)], now))
}

async function mustVisit(comer: Comer, workshopId: string, key: string, now: Date): Promise<Visit> {
  const visit = await findVisit(comer, workshopId, key, now)
  if (!visit) throw new Refusal('not_found')
  return visit
}

// A film that is gone or was never made plays nothing; the page says so.
async function filmOf({ participantId }: Visit, tenantId: string, fileId: string): Promise<PlaybackView | null> {
  try {
    return await openPlayback(visitorAt(tenantId, participantId), fileId)
  } catch (error) {
    if (error instanceof Refusal && error.code === 'not_found') return null
    throw error
  }
}
