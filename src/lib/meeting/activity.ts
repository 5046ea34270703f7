import { and, eq, inArray, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { advanceAutoSession } from '#lib/autowebinar/advance.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { publish } from '#lib/core/live/live.ts'
import type { SessionRef } from '#lib/workshop/session/event-log.ts'
import type { NewEvent } from '#lib/workshop/session/event-schema.ts'
import { workshopEvent } from '#lib/workshop/session/event-table.ts'
import { requireSeat } from './admission/seat.ts'
import { appendInBatch, type BatchCheck } from './batch.ts'
import { scheduleOnce } from './delayed.ts'
import type { EventSessionRef } from './publish-events.ts'
import { roomChannel, staffChannel } from './room-rules.ts'
import type { ButtonCount, ButtonReport, WindowReport } from './room-schema.ts'
import { meetingButton } from './table.ts'

/** Records that a participant saw a button: once per display. Refuses with unauthorized, forbidden, not_found. */
export const recordButtonSeen = (input: z.infer<typeof ButtonReport>): Promise<void> =>
  recordButtonEvent(input, 'user.sawButton')

/** Records that a participant clicked a button: once per display. Refuses like recordButtonSeen. */
export const recordButtonClick = (input: z.infer<typeof ButtonReport>): Promise<void> =>
  recordButtonEvent(input, 'user.click')

/** Records that the room's tab was hidden or shown. Refuses with unauthorized, forbidden. */
export async function recordWindowChange({
  seatToken,
  visible,
  clientId,
}: z.infer<typeof WindowReport>): Promise<void> {
  const { tenantId, sessionId, personId } = await requireSeat(seatToken)
  const by = { actorId: personId, clientId, audience: 'staff' } as const
  await appendInBatch({ tenantId, id: sessionId }, { type: 'window.change', payload: { visible }, ...by })
}

/** Number of participants who saw and clicked each button, over all displays. */
export async function countButtons(tx: Tx, sessionId: string): Promise<ButtonCount[]> {
  const { buttonId, personId, sawAt, clickedAt } = meetingButton
  return tx
    .select({
      buttonId,
      saw: sql<number>`count(distinct ${personId}) filter (where ${sawAt} is not null)`.mapWith(Number),
      clicked: sql<number>`count(distinct ${personId}) filter (where ${clickedAt} is not null)`.mapWith(Number),
    })
    .from(meetingButton)
    .where(eq(meetingButton.sessionId, sessionId))
    .groupBy(buttonId)
}

/** For buttons with a limited quantity: how many viewers clicked them. */
export async function readClicksByButton(
  tx: Tx,
  sessionId: string,
  counts?: readonly ButtonCount[],
): Promise<Record<string, number>> {
  const buttonId = sql<string>`${workshopEvent.payload}->>'buttonId'`
  const limited = await tx
    .selectDistinct({ buttonId })
    .from(workshopEvent)
    .where(
      and(
        eq(workshopEvent.sessionId, sessionId),
        eq(workshopEvent.type, 'button.show'),
        sql`${workshopEvent.payload}->'content'->>'quantityLeft' is not null`,
      ),
    )
  if (limited.length === 0) return {}
  const ids = new Set(limited.map((button) => button.buttonId))
  const all = counts ?? (await countButtons(tx, sessionId))
  return Object.fromEntries(
    all.flatMap((button) => (ids.has(button.buttonId) ? [[button.buttonId, button.clicked]] : [])),
  )
}

type ButtonEventType = 'user.sawButton' | 'user.click'

async function recordButtonEvent(
  { seatToken, buttonId, clientId }: z.infer<typeof ButtonReport>,
  type: ButtonEventType,
): Promise<void> {
  const participant = await requireSeat(seatToken)
  const { tenantId, sessionId, personId } = participant
  // Counts are of viewers; staff who show a button see it as well.
  if (participant.role !== 'viewer')
    return inTenant(participant, (tx) => requireShownButton(tx, { tenantId, id: sessionId }, buttonId))
  await appendInBatch(
    { tenantId, id: sessionId },
    { type, payload: { buttonId }, actorId: personId, clientId, audience: 'staff' },
    checkButtonEvents,
  )
  scheduleOnce(`buttons ${sessionId}`, COUNTS_DELAY_MS, () => publishButtonCounts(participant))
}

const checkButtonEvents: BatchCheck = async (tx, session, entries) => {
  const buttonIds = entries.flatMap(({ event }) => (isButtonEvent(event) ? [event.payload.buttonId] : []))
  const shown = await findShownButtons(tx, session, [...new Set(buttonIds)])
  const rows = new Map<string, ButtonEventRow>()
  for (const { event, at } of entries) {
    const shownAt = isButtonEvent(event) && shown.get(event.payload.buttonId)
    if (!isButtonEvent(event) || !shownAt || !event.actorId) continue
    const key = buttonEventKey(event)
    if (!rows.has(key)) rows.set(key, { ...event.payload, personId: event.actorId, shownAt, at, type: event.type })
  }
  const added = await saveButtonEvents(tx, session, [...rows.values()])
  return entries.map(({ event }) => {
    if (!isButtonEvent(event)) return new Refusal('invalid')
    if (!shown.has(event.payload.buttonId)) return new Refusal('not_found')
    return added.delete(buttonEventKey(event)) ? event : null
  })
}

type ButtonEvent = Extract<NewEvent, { type: ButtonEventType }>
const isButtonEvent = (event: NewEvent): event is ButtonEvent =>
  event.type === 'user.sawButton' || event.type === 'user.click'
const buttonEventKey = ({ type, actorId, payload }: Pick<ButtonEvent, 'type' | 'actorId' | 'payload'>): string =>
  `${type} ${actorId} ${payload.buttonId}`

interface ButtonEventRow {
  buttonId: string
  personId: string
  shownAt: Date
  at: Date
  type: ButtonEventType
}

async function requireShownButton(tx: Tx, session: SessionRef, buttonId: string): Promise<void> {
  if (!(await findShownButtons(tx, session, [buttonId])).has(buttonId)) throw new Refusal('not_found')
}

// The log of an auto-webinar lags behind its viewers, who get the script in advance.
async function findShownButtons(tx: Tx, session: SessionRef, buttonIds: string[]): Promise<Map<string, Date>> {
  const shown = await readLastShownAt(tx, session, buttonIds)
  if (buttonIds.every((id) => shown.has(id))) return shown
  await advanceAutoSession(tx, session, new Date())
  return readLastShownAt(tx, session, buttonIds)
}

/** When each of the buttons was last shown in the session, also one that was just hidden. */
async function readLastShownAt(tx: Tx, { id }: SessionRef, buttonIds: string[]): Promise<Map<string, Date>> {
  const buttonId = sql<string>`${workshopEvent.payload}->>'buttonId'`
  const rows = await tx
    .select({ buttonId, at: sql<Date>`max(${workshopEvent.at})`.mapWith(workshopEvent.at) })
    .from(workshopEvent)
    .where(and(eq(workshopEvent.sessionId, id), eq(workshopEvent.type, 'button.show'), inArray(buttonId, buttonIds)))
    .groupBy(buttonId)
  return new Map(rows.map((row) => [row.buttonId, row.at]))
}

/** Writes the new rows and returns their keys. */
async function saveButtonEvents(
  tx: Tx,
  { tenantId, id }: SessionRef,
  rows: readonly ButtonEventRow[],
): Promise<Set<string>> {
  const added = new Set<string>()
  for (const type of ['user.sawButton', 'user.click'] as const) {
    const ofType = rows.filter((row) => row.type === type)
    if (ofType.length === 0) continue
    const column = type === 'user.click' ? 'clickedAt' : 'sawAt'
    const written = await tx
      .insert(meetingButton)
      .values(ofType.map(({ at, type: _, ...row }) => ({ tenantId, sessionId: id, ...row, [column]: at })))
      .onConflictDoUpdate({
        target: [
          meetingButton.tenantId,
          meetingButton.sessionId,
          meetingButton.buttonId,
          meetingButton.shownAt,
          meetingButton.personId,
        ],
        set: { [column]: type === 'user.click' ? sql`excluded.clicked_at` : sql`excluded.saw_at` },
        setWhere: sql`${meetingButton[column]} is null`,
      })
      .returning({ personId: meetingButton.personId, buttonId: meetingButton.buttonId })
    for (const { personId, buttonId } of written)
      added.add(buttonEventKey({ type, actorId: personId, payload: { buttonId } }))
  }
  return added
}

const COUNTS_DELAY_MS = 1000

async function publishButtonCounts({ tenantId, sessionId }: EventSessionRef): Promise<void> {
  await inTenant({ tenantId }, async (tx) => {
    const counts = await countButtons(tx, sessionId)
    await publish(staffChannel(sessionId), { counts })
    const clicksByButton = await readClicksByButton(tx, sessionId, counts)
    if (Object.keys(clicksByButton).length > 0) await publish(roomChannel(sessionId), { clicksByButton })
  })
}
