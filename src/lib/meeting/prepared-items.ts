import { and, eq } from 'drizzle-orm'
import type { z } from 'zod'
import { afterCommit, inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { enqueueJob } from '#lib/core/jobs/jobs.ts'
import type { ItemKind } from '#lib/core/shared/event/live-event.ts'
import { parseStored } from '#lib/core/shared/parse-stored.ts'
import { HOUR_MS } from '#lib/core/shared/time.ts'
import { ButtonContent, HandoutContent, PollContent } from '#lib/workshop/session/event-schema.ts'
import { workshopItem } from '#lib/workshop/table.ts'
import { changeRoom, withActor } from './control.ts'
import { scheduleOnce } from './delayed.ts'
import { buildPollCloseEvents } from './poll.ts'
import { appendAndPublish, type EventSessionRef } from './publish-events.ts'
import type { ButtonInput, HandoutVisibilityInput, PollInput } from './room-schema.ts'
import { lockSession } from './session.ts'

/**
 * Shows a prepared button; one with a countdown is hidden when it ends. A shown button stays as it is. Refuses with
 * unauthorized, forbidden, not_found.
 */
export async function showButton({ seatToken, buttonId }: z.infer<typeof ButtonInput>): Promise<void> {
  await changeRoom(seatToken, 'moderate', async (tx, participant, { workshopId, state }) => {
    if (state.buttons.some((shown) => shown.buttonId === buttonId)) return
    const content = parseStored(ButtonContent, await readPreparedContent(tx, workshopId, 'button', buttonId))
    const now = new Date()
    const payload = { buttonId, content, shownAt: now.toISOString() }
    await appendAndPublish(tx, participant, [withActor(participant, { type: 'button.show', payload })], now)
    const endAt = countdownEnd(content, now)
    if (endAt) await scheduleHide({ ...toSessionRef(participant), buttonId, shownAt: now.getTime() }, endAt)
  })
}

/** Hides a button; no change when it is hidden. Refuses like showButton. */
export async function hideButton({ seatToken, buttonId }: z.infer<typeof ButtonInput>): Promise<void> {
  await changeRoom(seatToken, 'moderate', async (tx, participant, { workshopId, state }) => {
    if (!state.buttons.some((shown) => shown.buttonId === buttonId))
      return requireItem(tx, workshopId, 'button', buttonId)
    await appendAndPublish(tx, participant, [withActor(participant, { type: 'button.hide', payload: { buttonId } })])
  })
}

/** Shows a prepared hand-out. Refuses like showButton. */
export async function showHandout({ seatToken, handoutId }: z.infer<typeof HandoutVisibilityInput>): Promise<void> {
  await changeRoom(seatToken, 'moderate', async (tx, participant, { workshopId, state }) => {
    if (state.handouts.some((shown) => shown.handoutId === handoutId)) return
    const content = parseStored(HandoutContent, await readPreparedContent(tx, workshopId, 'handout', handoutId))
    await appendAndPublish(tx, participant, [
      withActor(participant, { type: 'handout.show', payload: { handoutId, content } }),
    ])
  })
}

/** Hides a hand-out. Refuses like showButton. */
export async function hideHandout({ seatToken, handoutId }: z.infer<typeof HandoutVisibilityInput>): Promise<void> {
  await changeRoom(seatToken, 'moderate', async (tx, participant, { workshopId, state }) => {
    if (!state.handouts.some((shown) => shown.handoutId === handoutId))
      return requireItem(tx, workshopId, 'handout', handoutId)
    await appendAndPublish(tx, participant, [withActor(participant, { type: 'handout.hide', payload: { handoutId } })])
  })
}

/** Opens a prepared poll; another open poll is closed and counted first. Refuses like showButton. */
export async function openPoll({ seatToken, pollId }: z.infer<typeof PollInput>): Promise<void> {
  await changeRoom(seatToken, 'moderate', async (tx, participant, { workshopId, state }) => {
    if (state.poll?.pollId === pollId && !state.poll.closed) return
    const content = parseStored(PollContent, await readPreparedContent(tx, workshopId, 'poll', pollId))
    const closeEvents = await buildPollCloseEvents(tx, participant.sessionId, state)
    const openEvent = { type: 'poll.open', payload: { pollId, content } } as const
    await appendAndPublish(
      tx,
      participant,
      [...closeEvents, openEvent].map((event) => withActor(participant, event)),
    )
  })
}

/** Closes the open poll with its votes; no change when it is closed. Refuses like showButton. */
export async function closePoll({ seatToken, pollId }: z.infer<typeof PollInput>): Promise<void> {
  await changeRoom(seatToken, 'moderate', async (tx, participant, { workshopId, state }) => {
    if (state.poll?.pollId !== pollId) return requireItem(tx, workshopId, 'poll', pollId)
    const closeEvents = await buildPollCloseEvents(tx, participant.sessionId, state)
    if (closeEvents.length > 0)
      await appendAndPublish(
        tx,
        participant,
        closeEvents.map((event) => withActor(participant, event)),
      )
  })
}

/** Hides a button whose countdown has ended; a later display of it stays. Idempotent. */
export async function hideExpiredButton(button: ShownButton): Promise<void> {
  await inTenant(button, async (tx) => {
    const { state } = await lockSession(tx, button)
    if (!state.buttons.some(({ buttonId, shownAt }) => buttonId === button.buttonId && shownAt === button.shownAt))
      return
    await appendAndPublish(tx, button, [{ type: 'button.hide', payload: { buttonId: button.buttonId } }])
  })
}

interface ShownButton extends EventSessionRef {
  buttonId: string
  shownAt: number
}

const MAX_TIMER_MS = HOUR_MS

/** End of a button's countdown; null without one. */
function countdownEnd({ countdownTo, countdownSeconds }: ButtonContent, shownAt: Date): Date | null {
  if (countdownSeconds) return new Date(shownAt.getTime() + countdownSeconds * 1000)
  return countdownTo ? new Date(countdownTo) : null
}

// Hidden in time by a timer of this process, and by a job in case the process has ended.
async function scheduleHide(shown: ShownButton, endAt: Date): Promise<void> {
  await enqueueJob('meeting.hideEnded', { ...shown }, { startAfter: endAt })
  const wait = endAt.getTime() - Date.now()
  if (wait > MAX_TIMER_MS) return
  afterCommit(() =>
    scheduleOnce(`hide ${shown.buttonId} ${shown.shownAt}`, Math.max(0, wait), () => hideExpiredButton(shown)),
  )
}

const toSessionRef = ({ tenantId, sessionId }: EventSessionRef): EventSessionRef => ({ tenantId, sessionId })

async function readPreparedContent(tx: Tx, workshopId: string, kind: ItemKind, id: string): Promise<object> {
  const rows = await findItem(tx, workshopId, kind, id)
  if (!rows || rows.deletedAt) throw new Refusal('not_found')
  return rows.content
}

async function requireItem(tx: Tx, workshopId: string, kind: ItemKind, id: string): Promise<void> {
  if (!(await findItem(tx, workshopId, kind, id))) throw new Refusal('not_found')
}

async function findItem(tx: Tx, workshopId: string, kind: ItemKind, id: string) {
  const { content, deletedAt } = workshopItem
  const [row] = await tx
    .select({ content, deletedAt })
    .from(workshopItem)
    .where(and(eq(workshopItem.id, id), eq(workshopItem.workshopId, workshopId), eq(workshopItem.kind, kind)))
  return row ?? null
}
