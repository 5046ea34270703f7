import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { inTenant } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { countSession } from '#lib/statistics/count-session.ts'
import { sessionButton, sessionMinute, sessionViewer } from '#lib/statistics/table.ts'
import { appendEvents, readEvents, type SessionRef } from '#lib/workshop/session/event-log.ts'
import type { NewEvent, RoomEvent } from '#lib/workshop/session/event-schema.ts'
import { workshopParticipant } from '#lib/workshop/session/event-table.ts'
import { createWorkshop } from '../../setup/parsed/workshop.ts'

import { createTestTenant, type TestTenant } from '../../setup/tenants.ts'
import { naiveNumbers } from './naive.ts'

const START = Date.parse('2026-12-01T17:00:00Z')
const author = { name: 'Хтось', role: 'viewer' as const }

let ours: TestTenant
beforeAll(async () => {
  ours = await createTestTenant()
})

async function room(people: number): Promise<{ ref: SessionRef; viewers: string[]; host: string }> {
  const owner = ours.as.OWNER
  const generous = { ...owner, plans: owner.plans.map((plan) => ({ ...plan, plan: 'max' as const })) }
  const made = await createWorkshop(generous, { type: 'webinar', title: 'Ефір', timeZone: 'Europe/Kyiv' })
  const ref = { tenantId: ours.tenant.id, id: made.sessionId ?? '' }
  const ids = Array.from({ length: people + 1 }, newId)
  await inTenant(ref, (tx) =>
    tx.insert(workshopParticipant).values(
      ids.map((id, index) => ({
        tenantId: ref.tenantId,
        id,
        sessionId: ref.id,
        workshopId: made.workshopId,
        name: `Особа ${index}`,
        kind: index === 0 ? ('staff' as const) : ('guest' as const),
        role: index === 0 ? ('host' as const) : ('viewer' as const),
        registrationId: index % 2 === 1 ? newId() : null,
      })),
    ),
  )
  const [host = '', ...viewers] = ids
  return { ref, viewers, host }
}

const BUTTONS = [newId(), newId()]
const content = { label: 'Записатися', url: 'https://example.com/' }

/** A random event at a random interval after the previous one. */
const happening = fc.record({
  after: fc.integer({ min: 0, max: 90_000 }),
  who: fc.nat({ max: 2 }),
  action: fc.constantFrom(
    'connect',
    'leave',
    'hide',
    'look',
    'say',
    'ask',
    'react',
    'see',
    'click',
    'show',
    'start',
    'finish',
  ),
  button: fc.nat({ max: 1 }),
})

function eventOf(
  { who, action, button }: { who: number; action: string; button: number },
  viewers: string[],
  host: string,
): NewEvent {
  const actorId = viewers[who % viewers.length] ?? host
  const buttonId = BUTTONS[button] ?? ''
  switch (action) {
    case 'connect':
      return { type: 'user.connect', actorId, payload: { device: button === 0 ? 'phone' : 'unknown' } }
    case 'leave':
      return { type: 'user.leave', actorId, payload: {} }
    case 'hide':
    case 'look':
      return { type: 'window.change', actorId, payload: { visible: action === 'look' } }
    case 'say':
      return { type: 'message', actorId, payload: { messageId: newId(), author, text: 'Слово' } }
    case 'ask':
      return { type: 'question', actorId, payload: { messageId: newId(), author, text: 'Чому?' } }
    case 'react':
      return { type: 'reaction', actorId, payload: { messageId: null, emoji: '👏' } }
    case 'see':
      return { type: 'user.sawButton', actorId, payload: { buttonId } }
    case 'click':
      return { type: 'user.click', actorId, payload: { buttonId } }
    case 'show':
      return { type: 'button.show', actorId: host, payload: { buttonId, content } }
    case 'start':
      return { type: 'webinar.start', actorId: host, payload: {} }
    default:
      return { type: 'webinar.finish', actorId: host, payload: {} }
  }
}

const numbersOf = (ref: SessionRef) =>
  inTenant(ref, async (tx) => ({
    minutes: await tx.select().from(sessionMinute),
    viewers: await tx.select().from(sessionViewer),
    buttons: await tx.select().from(sessionButton),
  }))

async function wholeLog(ref: SessionRef): Promise<RoomEvent[]> {
  return inTenant(ref, (tx) => readEvents(tx, ref.id, { reader: 'staff', limit: 100_000 }))
}

describe('statistics against the event log', () => {
  test('equal a naive count of the whole log, however it was divided into batches', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(happening, { minLength: 1, maxLength: 160, size: 'max' }),
        fc.nat({ max: 3 }),
        async (script, cuts) => {
          const { ref, viewers, host } = await room(3)
          let at = START
          const started = new Set<string>()
          const pieces: (NewEvent & { at: Date })[][] = [[]]
          for (const [index, step] of script.entries()) {
            // A session starts once and ends once.
            if (step.action === 'start' || step.action === 'finish') {
              if (started.has(step.action) || (step.action === 'finish' && !started.has('start'))) continue
              started.add(step.action)
            }
            at += step.after
            pieces.at(-1)?.push({ ...eventOf(step, viewers, host), at: new Date(at) })
            if (cuts > 0 && index % (cuts * 7) === 0) pieces.push([])
          }
          for (const piece of pieces) {
            await inTenant(ref, (tx) => appendEvents(tx, ref, piece, new Date(at)))
            await countSession(ref)
          }
          const rolled = await countSession(ref)
          const people = new Map(viewers.map((id, index) => [id, { registered: (index + 1) % 2 === 1 }]))
          const naive = naiveNumbers(await wholeLog(ref), people, at)
          const kept = await numbersOf(ref)
          const ofSession = <T extends { sessionId: string }>(rows: T[]) =>
            rows.filter(({ sessionId }) => sessionId === ref.id)
          const { totals } = rolled ?? {}
          expect({
            viewers: totals?.viewers,
            came: totals?.came,
            online: totals?.online,
            peak: totals?.peak,
            stayed: totals?.stayed,
            messages: totals?.messages,
            questions: totals?.questions,
            saw: totals?.saw,
            clicks: totals?.clicks,
            reactions: totals?.reactions,
            watchedMs: (totals?.watchedMs ?? 0) + (totals?.online ?? 0) * at - (totals?.hereSum ?? 0),
          }).toEqual(naive.totals)
          for (const row of ofSession(kept.viewers)) {
            const open = row.hereSince === null ? 0 : at - row.hereSince
            const hidden = row.hiddenSince === null ? 0 : at - row.hiddenSince
            expect({
              watchedMs: row.watchedMs + open,
              hiddenMs: row.hiddenMs + hidden,
              device: row.device,
              messages: row.messages,
              clicks: row.clicks,
              saw: [...row.saw].sort(),
              clicked: [...row.clicked].sort(),
            }).toEqual(naive.viewers.get(row.participantId))
          }
          expect(ofSession(kept.viewers)).toHaveLength(naive.viewers.size)
          const buttons = ofSession(kept.buttons).map(({ buttonId, shown, saw, clicked, clicks }) => ({
            buttonId,
            shown,
            saw,
            clicked,
            clicks,
          }))
          expect(buttons.sort((a, b) => a.buttonId.localeCompare(b.buttonId))).toEqual(naive.buttons)
          const sum = (key: 'joined' | 'left' | 'messages' | 'clicks') =>
            ofSession(kept.minutes).reduce((all, row) => all + row[key], 0)
          expect({
            joined: sum('joined'),
            left: sum('left'),
            messages: sum('messages'),
            clicks: sum('clicks'),
          }).toEqual(naive.minutes)
        },
      ),
      { numRuns: Number(process.env.STATISTICS_RUNS ?? 60) },
    )
  })

  test('count a viewer of the current button even before the log contains their join', async () => {
    const { ref, viewers, host } = await room(1)
    const [actorId = ''] = viewers
    const seen = { actorId, payload: { buttonId: BUTTONS[0] ?? '' } }
    await inTenant(ref, (tx) =>
      appendEvents(tx, ref, [
        { type: 'webinar.start', actorId: host, payload: {} },
        { type: 'user.sawButton', ...seen },
        { type: 'user.connect', actorId, payload: {} },
      ]),
    )
    expect((await countSession(ref))?.totals).toMatchObject({ viewers: 1, online: 1, saw: 1 })
  })

  test('count nothing twice when requested twice at once', async () => {
    const { ref, viewers } = await room(3)
    const news = viewers.map((actorId): NewEvent => ({ type: 'user.connect', actorId, payload: {} }))
    await inTenant(ref, (tx) => appendEvents(tx, ref, news))
    const rolled = await Promise.all(Array.from({ length: 6 }, () => countSession(ref)))
    expect(rolled.map((statistics) => statistics?.totals.online)).toEqual([3, 3, 3, 3, 3, 3])
  })
})
