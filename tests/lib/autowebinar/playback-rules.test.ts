import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  compareEntries,
  findSyncStep,
  foldRoomAt,
  formatScriptOffset,
  nextLead,
  parseOffset,
  playbackPhase,
  playbackPosition,
  selectPlayed,
  splitDue,
  toRoomEvent,
} from '#lib/autowebinar/playback-rules.ts'
import { newId } from '#lib/core/db/id.ts'
import { clockOffsetMs } from '#lib/core/shared/event/clock-offset.ts'
import { ButtonContent, ChatSettings, type RoomEvent } from '#lib/workshop/session/event-schema.ts'
import { initialRoomState } from '#lib/workshop/session/state-rules.ts'

const START = Date.parse('2026-12-01T17:00:00Z')
const content = ButtonContent.parse({ label: 'Купити', url: 'https://kafedra.test' })
const buttonId = newId()
const show = { type: 'button.show' as const, payload: { buttonId, content, shownAt: null }, offsetMs: 10_000 }
const hide = { type: 'button.hide' as const, payload: { buttonId }, offsetMs: 20_000 }
const empty = initialRoomState(ChatSettings.parse({}), null)

describe('the clock', () => {
  test('runs for late viewers, and stops for those who paused', () => {
    expect(playbackPosition({ startAt: START, pausedAtMs: null }, START + 754_321)).toBe(754_321)
    expect(playbackPosition({ startAt: START, pausedAtMs: 5000 }, START + 754_321)).toBe(5000)
    expect([-1, 0, 9, 10].map((position) => playbackPhase(position, 10))).toEqual([
      'before',
      'playing',
      'playing',
      'over',
    ])
  })

  test('of the server is known within half of the response time', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -86_400_000, max: 86_400_000 }),
        fc.integer({ min: 0, max: 5000 }),
        fc.integer({ min: 0, max: 5000 }),
        (skew, there, back) => {
          const requestedAt = START
          const found = clockOffsetMs(requestedAt + there + skew, requestedAt, requestedAt + there + back)
          expect(Math.abs(found - skew)).toBeLessThanOrEqual((there + back) / 2)
        },
      ),
    )
  })

  test('corrects drift: a seek from one second on, else a changed playback rate', () => {
    expect(findSyncStep(10, 12)).toEqual({ action: 'seek', to: 12 })
    expect(findSyncStep(12, 10)).toEqual({ action: 'seek', to: 10 })
    expect(findSyncStep(10, 10.05)).toEqual({ action: 'rate', rate: 1 })
    expect(findSyncStep(10, 10.5)).toEqual({ action: 'rate', rate: 1.05 })
    expect(findSyncStep(10.5, 10)).toEqual({ action: 'rate', rate: 0.95 })
    expect(findSyncStep(11, 10)).toEqual({ action: 'seek', to: 10 })
    expect(findSyncStep(0.12, 0)).toEqual({ action: 'rate', rate: 1 })
  })

  test('seeks ahead where seeking is slow, and is in sync after two seeks', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 9, noNaN: true }), (takes) => {
        let [video, target, lead] = [0, 100, 0]
        for (let jump = 0; jump < 2; jump++) {
          const step = findSyncStep(video, target, lead)
          if (step.action !== 'seek') break
          video = step.to
          target += takes
          lead = nextLead(lead, video, target)
        }
        expect(Math.abs(video - target)).toBeLessThan(1)
      }),
    )
    expect(nextLead(5, 100, 1000)).toBe(10)
    expect(nextLead(5, 100, 90)).toBe(0)
  })

  test('synchronizes every video within twenty seconds, from any position', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 7200, noNaN: true }),
        fc.double({ min: 0, max: 7200, noNaN: true }),
        (from, to) => {
          let [video, target] = [from, to]
          for (let tick = 0; tick < 80; tick++) {
            const step = findSyncStep(video, target)
            if (step.action === 'seek') video = step.to
            video += 0.25 * (step.action === 'rate' ? step.rate : 1)
            target += 0.25
          }
          expect(Math.abs(video - target)).toBeLessThan(0.25)
        },
      ),
    )
  })
})

describe('the script', () => {
  test('is applied to the room up to a position, that position included', () => {
    expect(foldRoomAt(empty, [show, hide], 9999, START).buttons).toEqual([])
    expect(foldRoomAt(empty, [show, hide], 10_000, START).buttons).toEqual([
      { buttonId, content, shownAt: START + 10_000 },
    ])
    expect(foldRoomAt(empty, [show, hide], 20_000, START).buttons).toEqual([])
  })

  test('omits muted tracks and entries after the end', () => {
    const entries = [
      { ...show, track: 'buttons' as const },
      { ...hide, track: 'chat' as const },
      { ...hide, track: 'buttons' as const, offsetMs: 31_000 },
    ]
    expect(selectPlayed(entries, { mutedTracks: ['chat'], lengthMs: 30_000 })).toEqual([entries[0]])
    expect(selectPlayed(entries, { mutedTracks: ['chat'], lengthMs: 31_000 })).toEqual([entries[0], entries[2]])
  })

  test('returns an event at its offset, not before', () => {
    const event = toRoomEvent({ ...show, offsetMs: 5000 }, START)
    expect(splitDue([event], 4999)).toEqual({ due: [], left: [event] })
    expect(splitDue([event], 5000)).toEqual({ due: [event], left: [] })
  })

  test('returns each event once and in order, however the clock is polled', () => {
    const offsets = fc.array(fc.integer({ min: 0, max: 60_000 }), { maxLength: 40 })
    const ticks = fc.array(fc.integer({ min: 0, max: 20_000 }), { minLength: 1, maxLength: 30 })
    fc.assert(
      fc.property(offsets, ticks, (at, steps) => {
        const events: RoomEvent[] = [...at]
          .sort((a, b) => a - b)
          .map((offsetMs) => toRoomEvent({ ...show, offsetMs }, START))
        let left = events
        let now = 0
        const seen: RoomEvent[] = []
        for (const step of [...steps, 60_000]) {
          now += step
          const { due, left: rest } = splitDue(left, now)
          expect(due.every(({ offsetMs }) => offsetMs <= now)).toBe(true)
          seen.push(...due)
          left = rest
        }
        expect(seen).toEqual(events)
        expect(left).toEqual([])
      }),
    )
  })
})

test('entries are ordered by offset, position and id', () => {
  const entry = (id: string, offsetMs: number, position: number) => ({ id, offsetMs, position })
  const entries = [entry('b', 2, 1), entry('a', 2, 1), entry('c', 2, 0), entry('d', 1, 9)]
  expect(
    entries
      .toSorted(compareEntries)
      .map(({ id }) => id)
      .join(''),
  ).toBe('dcab')
  expect(
    entries
      .toReversed()
      .toSorted(compareEntries)
      .map(({ id }) => id)
      .join(''),
  ).toBe('dcab')
})

test('an entry becomes an event at its offset, outside the log and without an actor', () => {
  expect(toRoomEvent(show, START)).toEqual({
    seq: 0,
    at: START + 10_000,
    offsetMs: 10_000,
    actorId: null,
    audience: 'all',
    type: 'button.show',
    payload: show.payload,
  })
})

test.each([
  ['1:02:03.250', 3_723_250],
  ['62:03', 3_723_000],
  ['3723.25', 3_723_250],
  ['3723,25', 3_723_250],
  ['0', 0],
  ['24:00:00', 86_400_000],
  ['999:00:00', null],
  ['1:2:3:4', null],
  ['x1', null],
  ['1x', null],
  ['1.2345', null],
  ['', null],
])('the moment %j is %s ms', (cell, ms) => {
  expect(parseOffset(cell)).toBe(ms)
})

test('an offset is formatted with milliseconds where there are any', () => {
  expect([0, 59_999, 3_723_000, 3_723_050].map(formatScriptOffset)).toEqual([
    '0:00:00',
    '0:00:59.999',
    '1:02:03',
    '1:02:03.050',
  ])
})

test('the lead of a seek is between zero and ten seconds', () => {
  expect([nextLead(0, 10, 12), nextLead(2, 12, 10), nextLead(0, 12, 10), nextLead(9, 0, 5)]).toEqual([2, 0, 0, 10])
})
