import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type AccessOverrideFacts,
  type CourseFacts,
  courseAccess,
  type GrantFacts,
  outlineAccess,
} from '#lib/course/access/access.ts'
import type { LessonFacts } from '#lib/course/access/access-rule.ts'
import { planChange } from '#lib/course/access/change-plan.ts'
import { freezeGrant, type GrantState, unfreezeGrant } from '#lib/course/learning/grant-state.ts'
import type { AccessRule } from '#lib/course/schema.ts'

const KYIV = 'Europe/Kyiv'
const NOW = new Date('2026-06-15T09:00:00Z')
const COURSE: CourseFacts = { status: 'published', accessStart: null, accessEnd: null, progression: 'free' }
const IDS = ['1', '2', '3', '4'] as const

const instant = fc.date({ min: new Date('2026-05-01'), max: new Date('2026-08-01'), noInvalidDate: true })
const iso = instant.map((at) => at.toISOString())
const frozen = fc
  .uniqueArray(iso, { maxLength: 4 })
  .map((all) => [...all].sort())
  .map(([a, b, c, d]) => (a && b ? [{ from: a, to: b }, ...(c && d ? [{ from: c, to: d }] : [])] : []))
const grant: fc.Arbitrary<GrantFacts> = fc.record({
  id: fc.uuid(),
  startsAt: instant,
  endsAt: fc.option(instant),
  revokedAt: fc.option(instant, { freq: 4 }),
  frozen,
  moduleIds: fc.option(fc.constantFrom(['a'], ['b'])),
  start: fc.option(instant),
  groupId: fc.option(fc.constantFrom('g', 'h')),
  zone: fc.constantFrom(KYIV, 'America/New_York', 'Asia/Kathmandu'),
})
const override: fc.Arbitrary<AccessOverrideFacts> = fc
  .record({
    id: fc.uuid(),
    whose: fc.constantFrom<[string | null, string | null][]>(['me', null], [null, 'g'], [null, 'h'], [null, null]),
    lessonId: fc.option(fc.constantFrom(...IDS)),
    effect: fc.constantFrom<AccessOverrideFacts['effect'][]>('open', 'close', 'shiftDays'),
    days: fc.integer({ min: -9, max: 9 }),
    at: instant,
  })
  .map(({ whose: [studentId, groupId], ...rest }) => ({ ...rest, studentId, groupId }))
const simple: fc.Arbitrary<AccessRule> = fc.oneof(
  fc.constantFrom<AccessRule[]>({ mode: 'open' }, { mode: 'manual' }),
  iso.map((at): AccessRule => ({ mode: 'date', at })),
  fc.nat(30).map((days): AccessRule => ({ mode: 'afterStart', days, time: '09:00', zone: KYIV })),
  fc
    .record({
      of: fc.constantFrom<('lesson' | 'module')[]>('lesson', 'module'),
      require: fc.constantFrom('opened', 'completed', 'homeworkAccepted', 'testPassed'),
      delayHours: fc.nat(50),
    })
    .map((rule): AccessRule => ({ mode: 'afterPrevious', ...rule })),
)
const rule: fc.Arbitrary<AccessRule> = fc.oneof(
  { weight: 4, arbitrary: simple },
  fc.array(simple, { minLength: 1, maxLength: 3 }).map((rules): AccessRule => ({ mode: 'all', rules })),
  fc.array(simple, { minLength: 1, maxLength: 3 }).map((rules): AccessRule => ({ mode: 'any', rules })),
)
const lessons: fc.Arbitrary<LessonFacts[]> = fc.tuple(
  ...IDS.map((id, index) =>
    fc.record({
      id: fc.constant<string>(id),
      title: fc.constant(`Урок ${id}`),
      moduleId: fc.constant(index < 2 ? 'a' : 'b'),
      availability: rule,
      moduleAvailability: simple,
      required: fc.boolean(),
      taskCount: fc.nat(1),
      openedAt: fc.option(instant),
      completedAt: fc.option(instant),
      homeworkState: fc.constant(null),
      homeworkAcceptedAt: fc.option(instant),
      testPassedAt: fc.option(instant),
    }),
  ),
)
const world = fc.record({
  grants: fc.array(grant, { minLength: 1, maxLength: 4 }),
  overrides: fc.array(override, { maxLength: 5 }),
  lessons,
  now: instant,
  progression: fc.constantFrom<CourseFacts['progression'][]>('free', 'sequential', 'drip'),
})

describe('access is a union', () => {
  test('equals the union of the access of each grant', () => {
    fc.assert(
      fc.property(world, ({ grants, overrides, lessons, now, progression }) => {
        const course = { ...COURSE, progression }
        const all = outlineAccess(course, grants, overrides, lessons, now)
        const each = grants.map((grant) => outlineAccess(course, [grant], overrides, lessons, now))
        expect(all.map(({ allow }) => allow)).toEqual(
          IDS.map((_, index) => each.some((outline) => outline[index]?.allow)),
        )
      }),
      { numRuns: 500 },
    )
  })

  test('removing or changing one grant never removes what another gives', () => {
    fc.assert(
      fc.property(world, grant, fc.boolean(), ({ grants, overrides, lessons, now }, changed, remove) => {
        const [, ...others] = grants
        const given = outlineAccess(COURSE, others, overrides, lessons, now)
        const after = outlineAccess(COURSE, remove ? others : [changed, ...others], overrides, lessons, now)
        for (const [index, lesson] of given.entries()) if (lesson.allow) expect(after[index]?.allow).toBe(true)
      }),
      { numRuns: 500 },
    )
  })

  test('every closed lesson has a reason, and no lesson is open in a closed course', () => {
    fc.assert(
      fc.property(world, ({ grants, overrides, lessons, now }) => {
        const entry = courseAccess(COURSE, grants, now)
        for (const lesson of outlineAccess(COURSE, grants, overrides, lessons, now)) {
          expect(lesson.allow).toBe(lesson.reason === 'open' || lesson.reason === 'opened_by_school')
          if (!entry.allow) expect(lesson.allow).toBe(false)
          if (lesson.at) expect(lesson.at > now).toBe(true)
        }
      }),
    )
  })
})

describe('an override', () => {
  const seen = (overrides: Partial<AccessOverrideFacts>[], change: Partial<LessonFacts> = {}, grants = [base]) =>
    outlineAccess(COURSE, grants, overrides.map(overrideWith), [{ ...plain, ...change }], NOW)[0]
  const closed: AccessRule = { mode: 'manual' }

  test('opens manual lessons, also outside the grant’s modules when it names the student', () => {
    expect(seen([], { availability: closed })).toMatchObject({ reason: 'by_school' })
    expect(seen([{ studentId: 'me' }], { availability: closed })).toMatchObject({ reason: 'opened_by_school' })
    const narrow = [{ ...base, moduleIds: ['b'] }]
    expect(seen([{ studentId: 'me' }], {}, narrow)?.allow).toBe(true)
    expect(seen([{}], {}, narrow)).toMatchObject({ reason: 'other_modules' })
  })

  test('of the student precedes the group’s, the group’s precedes the course’s; within a level the latest applies', () => {
    const group = [{ ...base, groupId: 'g' }]
    expect(seen([{ effect: 'close' }, { groupId: 'g' }], {}, group)?.allow).toBe(true)
    expect(seen([{ groupId: 'g' }, { studentId: 'me', effect: 'close' }], {}, group)?.allow).toBe(false)
    const day = (date: string) => new Date(`2026-06-${date}T00:00:00Z`)
    expect(seen([{ effect: 'close', lessonId: '1', at: day('01') }, { at: day('02') }])?.allow).toBe(true)
    expect(
      seen([
        { effect: 'close', at: day('02') },
        { lessonId: '1', at: day('01') },
      ])?.allow,
    ).toBe(false)
  })

  test('of a group does not affect other grants', () => {
    const both = [
      { ...base, groupId: 'g' },
      { ...base, id: 'own' },
    ]
    expect(seen([{ groupId: 'g', effect: 'close' }], {}, both)).toMatchObject({ allow: true, grantId: 'own' })
  })

  test('opens nothing without a current grant', () => {
    expect(seen([{ studentId: 'me' }], {}, [{ ...base, endsAt: new Date('2026-06-01') }])).toMatchObject({
      reason: 'ended',
    })
  })
})

describe('the condition "after the previous lesson"', () => {
  const done = new Date('2026-06-10T09:00:00Z')
  const waiting = (
    require: 'homeworkAccepted' | 'testPassed',
    scope: 'lesson' | 'module',
    before: Partial<LessonFacts>[],
  ) => {
    const rule: AccessRule = { mode: 'afterPrevious', of: scope, require }
    const all = [...before, { moduleId: 'b', availability: rule }]
    const rows = all.map((change, index) => ({ ...plain, id: String(index), ...change }))
    return outlineAccess(COURSE, [base], [], rows, NOW).at(-1)
  }

  test('requires accepted homework, where there is any', () => {
    expect(waiting('homeworkAccepted', 'lesson', [{ taskCount: 1, completedAt: done }])).toMatchObject({
      after: { require: 'homeworkAccepted' },
    })
    expect(waiting('homeworkAccepted', 'lesson', [{ taskCount: 1, homeworkAcceptedAt: done }])?.allow).toBe(true)
    expect(waiting('homeworkAccepted', 'lesson', [{ completedAt: done }])?.allow).toBe(true)
    expect(waiting('homeworkAccepted', 'module', [{}, { taskCount: 1, homeworkAcceptedAt: done }])?.allow).toBe(true)
    expect(waiting('homeworkAccepted', 'module', [{}, { taskCount: 1 }])).toMatchObject({ after: { lessonId: '1' } })
  })

  test('requires a passed test', () => {
    expect(waiting('testPassed', 'lesson', [{ openedAt: done }])?.allow).toBe(false)
    expect(waiting('testPassed', 'lesson', [{ testPassedAt: done }])?.allow).toBe(true)
  })

  test('counts from the first opening, where the course is set so', () => {
    const rule: AccessRule = { mode: 'afterStart', days: 1, time: '09:00', zone: KYIV }
    const seen = outlineAccess(COURSE, [{ ...base, start: null }], [], [{ ...plain, availability: rule }], NOW)[0]
    expect(seen).toMatchObject({ allow: false, reason: 'first_opening' })
  })
})

test('access is computed in one pass: ten times the lessons cause ten times the reads', () => {
  const rules: AccessRule[] = [
    { mode: 'afterPrevious', of: 'module', require: 'completed' },
    { mode: 'afterPrevious', of: 'lesson', require: 'completed' },
  ]
  const readsOf = (many: number): number => {
    let reads = 0
    const rows = Array.from({ length: many }, (_, index) => ({
      ...plain,
      id: String(index),
      availability: { mode: 'all', rules } as const,
      moduleId: index < many / 2 ? 'a' : 'b',
      get completedAt() {
        reads += 1
        return NOW
      },
    }))
    expect(outlineAccess(COURSE, [base, { ...base, id: 'other' }], [], rows, NOW)).toHaveLength(many)
    return reads
  }
  expect(readsOf(300)).toBeLessThanOrEqual(readsOf(30) * 11)
})

describe('a plan of changes', () => {
  const state: GrantState = {
    startsAt: NOW,
    endsAt: null,
    frozen: [],
    moduleIds: null,
    revokedAt: null,
    revokedReason: null,
  }

  test('freezes never overlap, and a further freeze never shortens the frozen time', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(instant, fc.option(fc.nat(60))), { maxLength: 6 }), (changes) => {
        let now = state
        for (const [from, days] of changes) {
          const to = days === null ? null : new Date(from.getTime() + (days + 1) * 86_400_000).toISOString()
          const next = freezeGrant(now, from, to)
          for (const at of [from, ...now.frozen.map((period) => new Date(period.from))])
            expect(isFrozen(next, at)).toBe(true)
          now = next
        }
        for (const [index, period] of now.frozen.entries()) {
          const following = now.frozen[index + 1]
          if (following) expect(period.to !== null && period.to < following.from).toBe(true)
        }
        expect(unfreezeGrant(now, NOW).frozen.every(({ to }) => to !== null && new Date(to) <= NOW)).toBe(true)
      }),
    )
  })

  test('for a group changes only the grants of the group', () => {
    const written = (id: string, sourceId: string | null) =>
      ({
        ...state,
        id,
        effectiveEndsAt: null,
        studentId: 's',
        sourceType: sourceId ? 'group' : 'manual',
        sourceId,
        orderId: null,
        withReview: true,
        withCertificate: true,
      }) as const
    const known = { target: { groupId: 'g' }, studentIds: ['s'], overrides: [] }
    const grants = [written('own', null), written('other', 'h'), written('ours', 'g')]
    const plan = planChange({ action: 'revoke' }, { ...known, grants }, NOW)
    expect(plan.grants.map(({ id }) => id)).toEqual(['ours'])
  })
})

const isFrozen = ({ frozen }: GrantState, at: Date): boolean =>
  frozen.some(({ from, to }) => new Date(from) <= at && (to === null || new Date(to) > at))

const base: GrantFacts = {
  id: 'grant',
  startsAt: new Date('2026-06-01T06:00:00Z'),
  endsAt: null,
  revokedAt: null,
  frozen: [],
  moduleIds: null,
  start: new Date('2026-06-01T06:00:00Z'),
  groupId: null,
  zone: KYIV,
}

const plain: LessonFacts = {
  id: '1',
  moduleId: 'a',
  title: 'Урок',
  availability: { mode: 'open' },
  moduleAvailability: { mode: 'open' },
  required: true,
  taskCount: 0,
  openedAt: null,
  completedAt: null,
  homeworkState: null,
  homeworkAcceptedAt: null,
  testPassedAt: null,
}

const overrideWith = (change: Partial<AccessOverrideFacts>): AccessOverrideFacts => ({
  id: 'o',
  studentId: null,
  groupId: null,
  lessonId: null,
  effect: 'open',
  days: 0,
  at: NOW,
  ...change,
})
