import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { inTenant } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { appendEvents, readEvents } from '#lib/workshop/session/event-log.ts'
import type { NewEvent } from '#lib/workshop/session/event-schema.ts'
import { ChatSettings } from '#lib/workshop/session/event-schema.ts'
import { applySessionEvent, initialRoomState } from '#lib/workshop/session/state-rules.ts'
import { workshopSession } from '#lib/workshop/table.ts'
import { createWorkshop } from '../../../setup/parsed/workshop.ts'
import { createOtherTenant, createTestTenant, type TestTenant } from '../../../setup/tenants.ts'

const code = (refused: string) => expect.objectContaining({ code: refused })
const author = { name: 'Олена', role: 'viewer' as const }
const START = new Date('2026-12-01T17:00:00Z')

let ours: TestTenant
let theirs: TestTenant
beforeAll(async () => {
  ours = await createTestTenant()
  theirs = await createOtherTenant()
})

async function session() {
  const made = await createWorkshop(ours.as.OWNER, {
    type: 'webinar',
    title: 'Ефір',
    timeZone: 'Europe/Kyiv',
    startAt: START.toISOString(),
  })
  return { tenantId: ours.tenant.id, id: made.sessionId ?? '' }
}

const append = (ref: { tenantId: string; id: string }, events: NewEvent[], now = START) =>
  inTenant(ref, (tx) => appendEvents(tx, ref, events, now))
const logOf = (ref: { tenantId: string; id: string }) =>
  inTenant(ref, (tx) => readEvents(tx, ref.id, { reader: 'staff' }))
const messageEvent = (text: string, actorId: string, clientId: string): NewEvent => ({
  type: 'message',
  actorId,
  clientId,
  payload: { messageId: newId(), author, text },
})

describe('the event log of a session', () => {
  test('numbers concurrent events without gaps in one order', async () => {
    const ref = await session()
    const people = Array.from({ length: 20 }, newId)
    await Promise.all(people.map((person, index) => append(ref, [messageEvent(`Слово ${index}`, person, 'a')])))
    const log = await logOf(ref)
    expect(log.map(({ seq }) => seq)).toEqual(people.map((_, index) => index + 1))
  })

  test('appends a repeated client id of one person once', async () => {
    const ref = await session()
    const [person, other] = [newId(), newId()]
    await append(ref, [
      messageEvent('Так', person, 'one'),
      messageEvent('Так', person, 'one'),
      messageEvent('І я', other, 'one'),
    ])
    const { events } = await append(ref, [messageEvent('Так', person, 'one')])
    expect(events).toEqual([])
    expect(await logOf(ref)).toHaveLength(2)
  })

  test('stores the state that its replay yields', async () => {
    const ref = await session()
    const buttonId = newId()
    await append(ref, [
      { type: 'webinar.start', payload: {} },
      { type: 'button.show', payload: { buttonId, content: { label: 'Купити', url: 'https://example.com' } } },
      { type: 'slide.change', payload: { fileId: null, page: 3 } },
    ])
    await append(ref, [
      { type: 'presentation.change', payload: { mode: 'preview' } },
      { type: 'button.hide', payload: { buttonId } },
    ])
    const log = await logOf(ref)
    const [kept] = await inTenant(ref, (tx) =>
      tx.select({ state: workshopSession.state }).from(workshopSession).where(eq(workshopSession.id, ref.id)),
    )
    expect(kept?.state).toEqual(log.reduce(applySessionEvent, initialRoomState(ChatSettings.parse({}), null)))
    expect(kept?.state).toMatchObject({ phase: 'live', mode: 'preview', slide: { page: 3 }, buttons: [] })
  })

  test('counts offsets from the start, negative before it', async () => {
    const ref = await session()
    const at = (seconds: number) => new Date(START.getTime() + seconds * 1000)
    await append(ref, [messageEvent('Рано', newId(), 'a')], at(-60))
    await append(ref, [{ type: 'webinar.start', payload: {} }], at(30))
    await append(ref, [messageEvent('Вчасно', newId(), 'a')], at(42))
    expect((await logOf(ref)).map(({ offsetMs }) => offsetMs)).toEqual([-60_000, 0, 12_000])
  })

  test('returns public and personal events to a person, and everything to staff', async () => {
    const ref = await session()
    const me = newId()
    const privately = (personId: string): NewEvent => ({
      ...messageEvent('Лише вам', personId, 'p'),
      audience: 'person',
      personId,
    })
    await append(ref, [
      messageEvent('Усім', newId(), 'a'),
      privately(me),
      privately(newId()),
      { ...messageEvent('Між нами', newId(), 'b'), audience: 'staff' },
    ])
    const mine = await inTenant(ref, (tx) => readEvents(tx, ref.id, { reader: { personId: me } }))
    expect(mine.map(({ seq }) => seq)).toEqual([1, 2])
    expect(await logOf(ref)).toHaveLength(4)
  })

  test('is not found by another tenant', async () => {
    const ref = await session()
    const stranger = { tenantId: theirs.tenant.id, id: ref.id }
    await expect(append(stranger, [messageEvent('Чужий', newId(), 'a')])).rejects.toEqual(code('not_found'))
  })
})
