import { describe, expect, test } from 'vitest'
import { canSendAtHour, findSendWindow, REMINDER_KINDS } from '#lib/registration/email/rules.ts'
import { canApply, canRegister, freeSeats, initialState, offerEnd } from '#lib/registration/rules.ts'
import { readRegistrationAnswers } from '#lib/registration/schema.ts'
import type { FormQuestion } from '#lib/workshop/schema.ts'

const OPEN = {
  isPublished: true,
  isCanceled: false,
  access: 'registration',
  status: 'upcoming',
  isAlwaysOpen: false,
} as const

test.each([
  [{}, false, 'open'],
  [{ isPublished: false }, true, 'draft'],
  [{ isCanceled: true }, true, 'canceled'],
  [{ status: 'pending' as const }, false, 'open'],
  [{ status: 'active' as const }, false, 'open'],
  [{ status: 'finished' as const }, true, 'finished'],
  [{ status: 'finished' as const, isAlwaysOpen: true }, true, 'open'],
  [{ status: 'expired' as const }, true, 'expired'],
  [{ access: 'students' as const }, false, 'students_only'],
  [{ access: 'students' as const }, true, 'open'],
  [{ access: 'paid' as const }, true, 'paid'],
  [{ access: 'link' as const }, false, 'open'],
])('an event %j, a member %s: %s', (facts, isMember, reason) => {
  expect(canRegister({ ...OPEN, ...facts }, { isMember })).toEqual({ allow: reason === 'open', reason })
})

test.each([
  ['auto', true, null, 500, 'confirmed'],
  ['auto', true, 2, 1, 'confirmed'],
  ['auto', true, 2, 2, 'waitlisted'],
  ['auto', true, 2, 3, 'waitlisted'],
  ['auto', false, 2, 2, null],
  ['manual', false, 2, 2, 'pending'],
] as const)('approval %s, list %s, %s seats, %s taken: %s', (approval, waitlist, seats, takenCount, state) => {
  expect(initialState({ approval, waitlist }, { capacity: seats, takenCount })).toBe(state)
})

test('the number of free seats is never negative', () => {
  expect(freeSeats({ capacity: null, takenCount: 5 })).toBeNull()
  expect([freeSeats({ capacity: 5, takenCount: 2 }), freeSeats({ capacity: 5, takenCount: 7 })]).toEqual([3, 0])
})

test('a seat offer lasts a day, but not beyond the start', () => {
  const now = new Date('2026-10-20T10:00:00Z')
  const at = (hours: number) => new Date(now.getTime() + hours * 3_600_000)
  expect(offerEnd(now, at(72))).toEqual(at(24))
  expect(offerEnd(now, at(3))).toEqual(at(3))
  expect(offerEnd(now, null)).toEqual(at(24))
  expect(offerEnd(now, at(0))).toBeNull()
})

test('staff actions depend on the state of the registration', () => {
  expect(canApply('approve', 'confirmed')).toBe(false)
  expect(canApply('approve', 'declined')).toBe(true)
  expect(canApply('cancel', 'canceled')).toBe(false)
  expect(canApply('resend', 'canceled')).toBe(false)
})

describe('reminders', () => {
  const startAt = new Date('2026-10-25T17:00:00Z')
  const times = { startAt, plannedMinutes: 90, finishedAt: null }
  const minutes = (at: Date | undefined) => at && (at.getTime() - startAt.getTime()) / 60_000

  test.each([
    ['day', -1440, -120],
    ['hour', -60, -15],
    ['tenMinutes', -10, 5],
    ['startMissed', 15, 90],
  ] as const)('%s is due from %s to %s minutes', (kind, from, until) => {
    const due = findSendWindow(kind, times)
    expect([minutes(due?.sendAt), minutes(due?.expiresAt)]).toEqual([from, until])
  })

  test('have send windows before, during and after the event', () => {
    for (const kind of REMINDER_KINDS) expect(findSendWindow(kind, { ...times, startAt: null })).toBeNull()
    const over = { ...times, finishedAt: new Date('2026-10-25T18:30:00Z') }
    expect(findSendWindow('hour', over)).toBeNull()
    expect(minutes(findSendWindow('missed', over)?.sendAt)).toBe(120)
    expect(minutes(findSendWindow('missed', over)?.expiresAt)).toBe(90 + 3 * 1440)
    expect(findSendWindow('missed', times)).toBeNull()
    expect(minutes(findSendWindow('startMissed', { ...times, plannedMinutes: 10 })?.expiresAt)).toBe(20)
  })

  test('are not sent from 22:00 to 8:00, except in the last hour', () => {
    const awake = (kind: (typeof REMINDER_KINDS)[number]) =>
      Array.from({ length: 24 }, (_, hour) => hour).filter((hour) => canSendAtHour(kind, hour))
    expect(awake('day')).toEqual(Array.from({ length: 14 }, (_, n) => n + 8))
    expect(awake('missed')).toEqual(awake('day'))
    expect(awake('hour')).toHaveLength(24)
    expect(awake('tenMinutes')).toHaveLength(24)
  })
})

describe('answers', () => {
  const question = (more: Partial<FormQuestion>): FormQuestion => ({
    id: 'q',
    label: 'Питання',
    kind: 'line',
    options: ['а', 'б'],
    required: false,
    ...more,
  })

  test.each([
    [{ kind: 'line' as const }, 'рядок', 'рядок'],
    [{ kind: 'line' as const }, 'два\nрядки', null],
    [{ kind: 'text' as const }, 'два\nрядки', 'два\nрядки'],
    [{ kind: 'radio' as const }, 'а', 'а'],
    [{ kind: 'dropdown' as const }, 'в', null],
    [{ kind: 'multi' as const }, ['а', 'б'], ['а', 'б']],
    [{ kind: 'multi' as const }, 'а', ['а']],
    [{ kind: 'radio' as const }, ['а', 'б'], null],
    [{ kind: 'checkbox' as const }, 'yes', 'yes'],
    [{ kind: 'date' as const }, '2026-02-30x', null],
    [{ kind: 'date' as const }, '2026-02-28', '2026-02-28'],
    [{ kind: 'phone' as const }, '+380 44 123-45-67', '+380 44 123-45-67'],
    [{ kind: 'phone' as const }, 'дзвоніть', null],
  ])('%j takes %j as %j', (more, given, kept) => {
    const { answers, fields } = readRegistrationAnswers([question(more)], { q: given, other: 'x' })
    const error = more.kind === 'date' ? 'date_format' : 'format'
    if (kept === null) expect(fields).toEqual({ 'answers.q': [error] })
    else expect([answers, fields]).toEqual([{ q: kept }, {}])
  })

  test('reports required answers that are missing', () => {
    const givens: Record<string, string | string[]>[] = [{}, { q: '' }, { q: [] }]
    for (const given of givens) {
      expect(readRegistrationAnswers([question({ required: true })], given).fields).toEqual({
        'answers.q': ['required'],
      })
    }
  })
})
