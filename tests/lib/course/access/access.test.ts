import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { instantOf, localDay } from '#lib/core/shared/time-zone.ts'
import {
  accessOfGrant,
  type CourseFacts,
  courseAccess,
  type GrantFacts,
  lessonAccess,
} from '#lib/course/access/access.ts'
import type { LessonFacts } from '#lib/course/access/access-rule.ts'
import type { AccessRule } from '#lib/course/schema.ts'

const NOW = new Date('2026-06-01T09:00:00Z')
const KYIV = 'Europe/Kyiv'
const COURSE: CourseFacts = { status: 'published', accessStart: null, accessEnd: null, progression: 'free' }
const GRANT: GrantFacts = {
  id: 'g',
  startsAt: new Date('2026-05-01T09:00:00Z'),
  endsAt: null,
  revokedAt: null,
  frozen: [],
  moduleIds: null,
  start: new Date('2026-05-01T09:00:00Z'),
  groupId: null,
  zone: KYIV,
}
const OPEN: AccessRule = { mode: 'open' }

const lessons = (...changes: Partial<LessonFacts>[]): LessonFacts[] =>
  changes.map((change, index) => ({
    id: String(index + 1),
    moduleId: 'a',
    title: `Урок ${index + 1}`,
    availability: OPEN,
    moduleAvailability: OPEN,
    required: true,
    openedAt: null,
    completedAt: null,
    taskCount: 0,
    homeworkState: null,
    homeworkAcceptedAt: null,
    testPassedAt: null,
    ...change,
  }))

describe('a grant', () => {
  const grants: [string, Partial<GrantFacts>, boolean, string][] = [
    ['current', {}, true, 'open'],
    ['not begun', { startsAt: new Date('2026-06-02T00:00:00Z') }, false, 'not_started'],
    ['over', { endsAt: NOW }, false, 'ended'],
    ['revoked', { revokedAt: new Date('2026-05-30T00:00:00Z') }, false, 'revoked'],
    ['frozen for now', { frozen: [{ from: '2026-05-20T00:00:00Z', to: null }] }, false, 'frozen'],
    ['frozen before', { frozen: [{ from: '2026-05-20T00:00:00Z', to: '2026-05-25T00:00:00Z' }] }, true, 'open'],
  ]
  test.each(grants)('that is %s', (_, change, allow, reason) => {
    expect(accessOfGrant({ ...GRANT, ...change }, NOW)).toMatchObject({ allow, reason })
  })

  test('is required for access', () => {
    expect(courseAccess(COURSE, [], NOW)).toEqual({ allow: false, reason: 'no_grant' })
  })

  test('opens an archived course but not a draft', () => {
    expect(courseAccess({ ...COURSE, status: 'archived' }, [GRANT], NOW).allow).toBe(true)
    expect(courseAccess({ ...COURSE, status: 'draft' }, [GRANT], NOW)).toMatchObject({
      reason: 'course_not_published',
    })
  })

  test('for some modules leaves the other modules closed', () => {
    const two = lessons({}, { moduleId: 'b' })
    expect(lessonAccess(COURSE, [{ ...GRANT, moduleIds: ['b'] }], [], two, '1', NOW)).toMatchObject({
      reason: 'other_modules',
    })
    expect(lessonAccess(COURSE, [{ ...GRANT, moduleIds: ['b'] }], [], two, '2', NOW).allow).toBe(true)
  })
})

const instant = fc.date({ min: new Date('2026-01-01'), max: new Date('2026-12-31'), noInvalidDate: true })
const anyGrant = fc
  .record({
    startsAt: instant,
    endsAt: fc.option(instant),
    revokedAt: fc.option(instant),
    frozen: fc.array(fc.record({ from: instant.map((at) => at.toISOString()), to: fc.constant(null) }), {
      maxLength: 1,
    }),
    moduleIds: fc.option(fc.constantFrom(['a'], ['b'])),
    start: instant,
  })
  .map((partial) => ({ ...GRANT, ...partial }))

test('an additional grant never closes a lesson that another grant opens', () => {
  fc.assert(
    fc.property(
      fc.array(anyGrant, { maxLength: 4 }),
      anyGrant,
      instant,
      fc.constantFrom('1', '2'),
      (some, more, at, id) => {
        const two = lessons(
          { availability: { mode: 'afterStart', days: 3, time: '09:00', zone: KYIV } },
          { moduleId: 'b' },
        )
        const before = lessonAccess(COURSE, some, [], two, id, at).allow
        const after = lessonAccess(COURSE, [...some, more], [], two, id, at).allow
        return !before || after
      },
    ),
  )
})

describe('drip rules', () => {
  const open = (rule: AccessRule, change: Partial<LessonFacts> = {}) =>
    lessonAccess(COURSE, [GRANT], [], lessons(change, { availability: rule }), '2', NOW)

  test('by date', () => {
    expect(open({ mode: 'date', at: '2026-06-01T09:00:00Z' }).allow).toBe(true)
    expect(open({ mode: 'date', at: '2026-06-01T09:00:01Z' })).toMatchObject({
      allow: false,
      reason: 'opens_at',
      at: new Date('2026-06-01T09:00:01Z'),
    })
  })

  test('a manual rule opens only by an override', () => {
    expect(open({ mode: 'manual' })).toMatchObject({ allow: false, reason: 'by_school' })
  })

  test('a rule after the previous lesson names that lesson', () => {
    const rule: AccessRule = { mode: 'afterPrevious', of: 'lesson', require: 'completed' }
    expect(open(rule)).toMatchObject({ reason: 'after_lesson', after: { lessonId: '1', require: 'completed' } })
    expect(open(rule, { openedAt: NOW }).allow).toBe(false)
    expect(open(rule, { completedAt: NOW }).allow).toBe(true)
    expect(open({ ...rule, require: 'opened' }, { openedAt: NOW }).allow).toBe(true)
    expect(open({ ...rule, delayHours: 2 }, { completedAt: NOW })).toMatchObject({
      at: new Date('2026-06-01T11:00:00Z'),
    })
  })

  test('a rule after the previous module considers its required lessons only', () => {
    const rule: AccessRule = { mode: 'afterPrevious', of: 'module', require: 'completed' }
    const three = lessons({ completedAt: NOW }, { required: false }, { moduleId: 'b', availability: rule })
    expect(lessonAccess(COURSE, [GRANT], [], three, '3', NOW).allow).toBe(true)
  })

  test('"all" waits for the last condition, "any" for the first', () => {
    const soon: AccessRule = { mode: 'date', at: '2026-06-02T00:00:00Z' }
    const late: AccessRule = { mode: 'date', at: '2026-07-02T00:00:00Z' }
    expect(open({ mode: 'all', rules: [soon, late] }).at).toEqual(new Date('2026-07-02T00:00:00Z'))
    expect(open({ mode: 'any', rules: [late, soon] }).at).toEqual(new Date('2026-06-02T00:00:00Z'))
    expect(open({ mode: 'any', rules: [{ mode: 'manual' }, OPEN] }).allow).toBe(true)
  })

  test('a sequential course opens lesson by lesson', () => {
    const course = { ...COURSE, progression: 'sequential' } as const
    const three = lessons({ completedAt: NOW }, {}, {})
    const states = ['1', '2', '3'].map((id) => lessonAccess(course, [GRANT], [], three, id, NOW).allow)
    expect(states).toEqual([true, true, false])
  })
})

describe('local time of a zone', () => {
  // Both nights of clock changes in Kyiv in 2026, and zones with other rules.
  const moments: [string, string, string, string][] = [
    ['2026-03-29', '02:59', KYIV, '2026-03-29T00:59:00.000Z'],
    ['2026-03-29', '03:30', KYIV, '2026-03-29T01:30:00.000Z'],
    ['2026-03-29', '09:00', KYIV, '2026-03-29T06:00:00.000Z'],
    ['2026-10-25', '03:30', KYIV, '2026-10-25T00:30:00.000Z'],
    ['2026-10-25', '09:00', KYIV, '2026-10-25T07:00:00.000Z'],
    ['2026-03-08', '02:30', 'America/New_York', '2026-03-08T07:30:00.000Z'],
    ['2026-11-01', '01:30', 'America/New_York', '2026-11-01T05:30:00.000Z'],
    ['2026-06-01', '09:00', 'Asia/Kathmandu', '2026-06-01T03:15:00.000Z'],
  ]
  test.each(moments)('%s %s in %s', (day, time, zone, at) => {
    expect(instantOf(day, time, zone).toISOString()).toBe(at)
  })

  test('days after the start are counted on the calendar, over the change too', () => {
    expect(localDay(new Date('2026-03-27T22:30:00Z'), KYIV, 1)).toBe('2026-03-29')
    const rule: AccessRule = { mode: 'afterStart', days: 1, time: '09:00', zone: KYIV }
    const startsAt = new Date('2026-10-24T10:00:00Z')
    const grant = { ...GRANT, startsAt, start: startsAt }
    const at = lessonAccess(
      COURSE,
      [grant],
      [],
      lessons({ availability: rule }),
      '1',
      new Date('2026-10-24T12:00:00Z'),
    ).at
    expect(at).toEqual(new Date('2026-10-25T07:00:00Z'))
  })

  test('equals Intl for every existing time', () => {
    fc.assert(
      fc.property(
        instant,
        fc.constantFrom(KYIV, 'America/New_York', 'Asia/Kathmandu', 'Australia/Lord_Howe'),
        (at, zone) => {
          at.setUTCSeconds(0, 0)
          const clock = new Intl.DateTimeFormat('en-GB', { timeZone: zone, timeStyle: 'short' })
          const back = instantOf(localDay(at, zone), clock.format(at), zone)
          return clock.format(back) === clock.format(at) && Math.abs(Number(back) - Number(at)) <= 3_600_000
        },
      ),
    )
  })
})
