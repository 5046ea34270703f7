import { and, eq } from 'drizzle-orm'
import type { z } from 'zod'
import { afterCommit, inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { enqueueJob } from '#lib/core/jobs/jobs.ts'
import type { ItemKind } from '#lib/core/shared/event/live-event.ts'
import { parseStored } from '#lib/core/shared/stored.ts'
import { ButtonContent, HandoutContent, PollContent } from '#lib/workshop/session/event-schema.ts'
import { workshopItem } from '#lib/workshop/table.ts'
import { by, inRoom } from './control.ts'
import { soon } from './delayed.ts'
import { closing } from './poll.ts'
import { appendAndSay, type SessionOf } from './publish-events.ts'
import type { ButtonAct, HandoutAct, PollAct } from './room-schema.ts'
import { lockSession } from './session.ts'

/**
 * Shows a button that was prepared; one with a countdown goes by itself when that is over. A shown one stays as it is.
 * Refuses with unauthorized, forbidden, not_found.
 */
export async function showButton({ ticket, buttonId }: z.infer<typeof ButtonAct>): Promise<void> {
  await inRoom(ticket, 'moderate', async (tx, sitting, { workshopId, state }) => {
    if (state.buttons.some((one) => one.buttonId === buttonId)) return
    const content = parseStored(ButtonContent, await prepared(tx, workshopId, 'button', buttonId))
    const now = new Date()
    const payload = { buttonId, content, shownAt: now.toISOString() }
    await appendAndSay(tx, sitting, [by(sitting, { type: 'button.show', payload })], now)
    const over = endOf(content, now)
    if (over) await hideAt({ ...sessionOf(sitting), buttonId, shownAt: now.getTime() }, over)
  })
}

/** Takes a button away; one that is not shown stays so. Refuses with unauthorized, forbidden, not_found. */
export async function hideButton({ ticket, buttonId }: z.infer<typeof ButtonAct>): Promise<void> {
  await inRoom(ticket, 'moderate', async (tx, sitting, { workshopId, state }) => {
    if (!state.buttons.some((one) => one.buttonId === buttonId)) return mustKnow(tx, workshopId, 'button', buttonId)
    await appendAndSay(tx, sitting, [by(sitting, { type: 'button.hide', payload: { buttonId } })])
  })
}

/** Gives everybody a hand-out that was prepared. Refuses with unauthorized, forbidden, not_found. */
export async function showHandout({ ticket, handoutId }: z.infer<typeof HandoutAct>): Promise<void> {
  await inRoom(ticket, 'moderate', async (tx, sitting, { workshopId, state }) => {
    if (state.handouts.some((one) => one.handoutId === handoutId)) return
    const content = parseStored(HandoutContent, await prepared(tx, workshopId, 'handout', handoutId))
    await appendAndSay(tx, sitting, [by(sitting, { type: 'handout.show', payload: { handoutId, content } })])
  })
}

/** Takes a hand-out back. Refuses with unauthorized, forbidden, not_found. */
export async function hideHandout({ ticket, handoutId }: z.infer<typeof HandoutAct>): Promise<void> {
  await inRoom(ticket, 'moderate', async (tx, sitting, { workshopId, state }) => {
    if (!state.handouts.some((one) => one.handoutId === handoutId))
      return mustKnow(tx, workshopId, 'handout', handoutId)
    await appendAndSay(tx, sitting, [by(sitting, { type: 'handout.hide', payload: { handoutId } })])
  })
}

/** Asks a poll that was prepared; another one that is open is closed and counted first. Refuses likewise. */
export async function openPoll({ ticket, pollId }: z.infer<typeof PollAct>): Promise<void> {
  await inRoom(ticket, 'moderate', async (tx, sitting, { workshopId, state }) => {
    if (state.poll?.pollId === pollId && !state.poll.closed) return
    const content = parseStored(PollContent, await prepared(tx, workshopId, 'poll', pollId))
    const before = await closing(tx, sitting.sessionId, state)
    const opens = { type: 'poll.open', payload: { pollId, content } } as const
    await appendAndSay(
      tx,
      sitting,
      [...before, opens].map((event) => by(sitting, event)),
    )
  })
}

/** Closes the open poll, with its votes. A closed one stays so. Refuses with unauthorized, forbidden, not_found. */
export async function closePoll({ ticket, pollId }: z.infer<typeof PollAct>): Promise<void> {
  await inRoom(ticket, 'moderate', async (tx, sitting, { workshopId, state }) => {
    if (state.poll?.pollId !== pollId) return mustKnow(tx, workshopId, 'poll', pollId)
    const closes = await closing(tx, sitting.sessionId, state)
    if (closes.length > 0)
      await appendAndSay(
        tx,
        sitting,
        closes.map((event) => by(sitting, event)),
      )
  })
}

/** Takes away a button whose time is over; a later showing of it stays. Safe to repeat. */
export async function hideEnded(of: Shown): Promise<void> {
  await inTenant(of, async (tx) => {
    const { state } = await lockSession(tx, of)
    if (!state.buttons.some(({ buttonId, shownAt }) => buttonId === of.buttonId && shownAt === of.shownAt)) return
    await appendAndSay(tx, of, [{ type: 'button.hide', payload: { buttonId: of.buttonId } }])
  })
}

interface Shown extends SessionOf {
  buttonId: string
  shownAt: number
}

const HOUR = 3_600_000

/** When a button's countdown is over; null without one. */
export function endOf({ countdownTo, countdownSeconds }: ButtonContent, shownAt: Date): Date | null {
  if (countdownSeconds) return new Date(shownAt.getTime() + countdownSeconds * 1000)
  return countdownTo ? new Date(countdownTo) : null
}

// In time by this process's clock, and by a job should the process be gone then.
async function hideAt(shown: Shown, over: Date): Promise<void> {
  await enqueueJob('meeting.hideEnded', { ...shown }, { startAfter: over })
  const wait = over.getTime() - Date.now()
  if (wait > HOUR) return
  afterCommit(() => soon(`hide ${shown.buttonId} ${shown.shownAt}`, Math.max(0, wait), () => hideEnded(shown)))
}

const sessionOf = ({ tenantId, sessionId }: SessionOf): SessionOf => ({ tenantId, sessionId })

async function prepared(tx: Tx, workshopId: string, kind: ItemKind, id: string): Promise<object> {
  const found = await findItem(tx, workshopId, kind, id)
  if (!found || found.deletedAt) throw new Refusal('not_found')
  return found.content
}

async function mustKnow(tx: Tx, workshopId: string, kind: ItemKind, id: string): Promise<void> {
  if (!(await findItem(tx, workshopId, kind, id))) throw new Refusal('not_found')
}

async function findItem(tx: Tx, workshopId: string, kind: ItemKind, id: string) {
  const { content, deletedAt } = workshopItem
  const [found] = await tx
    .select({ content, deletedAt })
    .from(workshopItem)
    .where(and(eq(workshopItem.id, id), eq(workshopItem.workshopId, workshopId), eq(workshopItem.kind, kind)))
  return found ?? null
}
