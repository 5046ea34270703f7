import { expect, test } from 'vitest'
import { NOTIFICATION_FREQUENCIES } from '#lib/notification/kind-schema.ts'
import {
  type DeliveryFacts,
  endOfQuiet,
  frequencyChoices,
  isWithinDailyCap,
  resolveDelivery,
} from '#lib/notification/settings/rules.ts'

const NIGHT = { from: '22:00', until: '08:00' }
// A Wednesday, 14:30 in Kyiv.
const facts: DeliveryFacts = {
  topic: 'homework_result',
  now: new Date('2026-11-25T12:30:00Z'),
  zone: 'Europe/Kyiv',
  chosen: {},
  quiet: null,
  isMuted: false,
  reachable: ['email', 'push', 'telegram'],
}

const cases: [string, Partial<DeliveryFacts>, string, Record<string, string>][] = [
  ['an important topic is sent at once', {}, 'unread', { email: 'now', push: 'now', telegram: 'now' }],
  ['channels that are not connected', { reachable: ['email'] }, 'unread', { email: 'now' }],
  ['a routine topic waits for the daily email', { topic: 'operation' }, 'unread', { email: '2026-11-26T07:00:00Z' }],
  [
    'the choice of a person wins',
    { chosen: { email: 'off', push: 'hourly' } },
    'unread',
    { push: '2026-11-25T13:00:00Z', telegram: 'now' },
  ],
  [
    'weekly on Monday',
    { reachable: ['email'], chosen: { email: 'weekly' } },
    'unread',
    { email: '2026-11-30T07:00:00Z' },
  ],
  [
    'daily before nine is today',
    { now: new Date('2026-11-25T06:00:00Z'), reachable: ['email'], chosen: { email: 'daily' } },
    'unread',
    { email: '2026-11-25T07:00:00Z' },
  ],
  [
    'weekly on Monday before nine is today',
    { now: new Date('2026-11-30T06:59:00Z'), reachable: ['email'], chosen: { email: 'weekly' } },
    'unread',
    { email: '2026-11-30T07:00:00Z' },
  ],
  [
    'weekly on Monday at nine is the next one',
    { now: new Date('2026-11-30T07:00:00Z'), reachable: ['email'], chosen: { email: 'weekly' } },
    'unread',
    { email: '2026-12-07T07:00:00Z' },
  ],
  ['not in the product', { chosen: { inApp: 'off' }, reachable: [] }, 'none', {}],
  ['muted: listed silently, nothing is sent', { isMuted: true }, 'silent', {}],
  ['muted and not in the product', { isMuted: true, chosen: { inApp: 'off' } }, 'none', {}],
  ['outside of quiet hours', { quiet: NIGHT, reachable: ['email'] }, 'unread', { email: 'now' }],
  [
    'in quiet hours, before midnight',
    { quiet: NIGHT, now: new Date('2026-11-25T21:00:00Z'), reachable: ['email'] },
    'unread',
    { email: '2026-11-26T06:00:00Z' },
  ],
  [
    'in quiet hours, after midnight',
    { quiet: NIGHT, now: new Date('2026-11-25T23:00:00Z'), reachable: ['push'] },
    'unread',
    { push: '2026-11-26T06:00:00Z' },
  ],
  [
    'what belongs to a time: the email ignores quiet hours, other channels do not',
    { topic: 'mentoring', quiet: NIGHT, now: new Date('2026-11-25T23:00:00Z'), reachable: ['email', 'push'] },
    'unread',
    { email: 'now', push: '2026-11-26T06:00:00Z' },
  ],
  [
    'a digest in quiet hours waits too',
    { quiet: { from: '08:00', until: '12:00' }, reachable: ['email'], chosen: { email: 'daily' } },
    'unread',
    { email: '2026-11-26T10:00:00Z' },
  ],
  [
    'in the zone of the person',
    { zone: 'Asia/Kathmandu', reachable: ['email'], chosen: { email: 'daily' } },
    'unread',
    { email: '2026-11-26T03:15:00Z' },
  ],
]

test.each(cases)('%s', (_, more, inApp, expected) => {
  const given = { ...facts, ...more }
  const plan = resolveDelivery(given)
  expect(plan.inApp).toBe(inApp)
  const times = plan.deliveries.map(({ channel, at }) => [
    channel,
    at.getTime() === given.now.getTime() ? 'now' : at.toISOString().replace('.000', ''),
  ])
  expect(Object.fromEntries(times)).toEqual(expected)
})

test.each([
  // 03:00 to 04:00 is skipped on 29 March 2026 in Kyiv: the end is after the gap.
  ['2026-03-28T23:30:00Z', 'Europe/Kyiv', { from: '01:00', until: '03:30' }, '2026-03-29T01:30:00Z'],
  // 03:00 to 04:00 occurs twice on 25 October 2026: the first end that is later.
  ['2026-10-24T23:30:00Z', 'Europe/Kyiv', { from: '02:00', until: '03:30' }, '2026-10-25T00:30:00Z'],
  ['2026-10-25T01:15:00Z', 'Europe/Kyiv', { from: '02:00', until: '03:30' }, '2026-10-25T01:30:00Z'],
  // The night of the change has 9 or 11 hours.
  ['2026-03-28T21:00:00Z', 'Europe/Kyiv', NIGHT, '2026-03-29T05:00:00Z'],
  ['2026-10-24T20:00:00Z', 'Europe/Kyiv', NIGHT, '2026-10-25T06:00:00Z'],
  ['2026-03-08T05:00:00Z', 'America/New_York', NIGHT, '2026-03-08T12:00:00Z'],
  // A change of half an hour.
  ['2026-04-04T13:00:00Z', 'Australia/Lord_Howe', NIGHT, '2026-04-04T21:30:00Z'],
])('quiet hours at %s in %s end at the local time', (at, zone, quiet, end) => {
  expect(endOfQuiet(new Date(at), zone, quiet).toISOString().replace('.000', '')).toBe(end)
})

test('the end of quiet hours is never quiet nor in the past, every half hour of a year in five zones', () => {
  const zones = ['Europe/Kyiv', 'America/New_York', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'Africa/Casablanca']
  for (const zone of zones) {
    for (let at = Date.parse('2026-01-01T00:10:00Z'); at < Date.parse('2027-01-01T00:00:00Z'); at += 7 * 1_800_000) {
      const end = endOfQuiet(new Date(at), zone, NIGHT)
      expect(end.getTime()).toBeGreaterThanOrEqual(at)
      expect(end.getTime() - at).toBeLessThanOrEqual(11 * 3_600_000)
      expect(endOfQuiet(end, zone, NIGHT)).toEqual(end)
    }
  }
})

test('the last email of the daily cap is the digest', () => {
  expect([0, 1, 2, 3].map((sent) => isWithinDailyCap(sent, 3))).toEqual([true, true, false, false])
  expect(isWithinDailyCap(0, 1)).toBe(false)
})

test('a digest is offered for outgoing channels of topics that do not belong to a time', () => {
  expect(frequencyChoices('homework_result', 'email')).toEqual(NOTIFICATION_FREQUENCIES)
  expect(frequencyChoices('mentoring_request', 'push')).toEqual(NOTIFICATION_FREQUENCIES)
  for (const topic of ['event', 'event_reminder', 'mentoring'] as const) {
    expect(frequencyChoices(topic, 'email')).toEqual(['immediate', 'off'])
    expect(frequencyChoices(topic, 'telegram')).toEqual(['immediate', 'off'])
  }
  expect(frequencyChoices('homework_result', 'inApp')).toEqual(['immediate', 'off'])
})
