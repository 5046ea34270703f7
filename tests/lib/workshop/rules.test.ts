import { describe, expect, test } from 'vitest'
import { ROOM_ROLES, type WorkshopRole } from '#lib/core/shared/event/live-event.ts'
import { ROLES, type Role } from '#lib/core/shared/role.ts'
import { findClockAmbiguity, laterInstantOf } from '#lib/core/shared/time-zone.ts'
import {
  ASSIGNABLE_ROLES,
  canCreateWorkshop,
  canManageWorkshop,
  canModerate,
  canPublishEvent,
  canSeeStatistics,
  canSeeWorkshops,
  type EventPublishFacts,
  editPath,
  eventPublishChecks,
  eventStatusOf,
  hasRight,
  roomRoleOf,
  sessionStatusOf,
} from '#lib/workshop/rules.ts'

const CONTENT: Role[] = ['OWNER', 'DIRECTOR', 'EXPERT']
const PLACES: readonly (readonly WorkshopRole[])[] = [[], ['host'], ['speaker'], ['moderator']]
/** The verdict for each role in an event in turn: none, host, speaker, moderator. */
const atEach = (verdict: (at: readonly WorkshopRole[]) => { reason: string }) => PLACES.map((at) => verdict(at).reason)

describe.each(ROLES)('%s', (role) => {
  const person = { roles: [role] }
  const content = CONTENT.includes(role)

  test('may view, create and see statistics of events, or not', () => {
    const reads = role === 'PRESENTER' || role === 'MODERATOR'
    expect(canSeeWorkshops(person)).toEqual({
      allow: content || reads,
      reason: content ? 'manages_content' : reads ? 'reads_events' : 'no_event_role',
    })
    const verdict = { allow: content, reason: content ? 'manages_content' : 'no_event_role' }
    expect(canCreateWorkshop(person)).toEqual(verdict)
    expect(canSeeStatistics(person)).toEqual(verdict)
  })

  test('manages an event by role, or as a presenter who speaks in it', () => {
    const here = { PRESENTER: ['not_a_speaker_here', 'speaks_here', 'speaks_here', 'not_a_speaker_here'] }
    const expected = Reflect.get(here, role) ?? Array(4).fill(content ? 'manages_content' : 'no_event_role')
    expect(atEach((at) => canManageWorkshop(person, at))).toEqual(expected)
    const allowed = PLACES.map((at) => canManageWorkshop(person, at).allow)
    expect(allowed).toEqual(expected.map((reason: string) => /^(manages|speaks)/.test(reason)))
  })

  test('moderates an event by role, or by assignment', () => {
    const elsewhere = 'not_a_moderator_here'
    const here = {
      PRESENTER: [elsewhere, 'speaks_here', 'speaks_here', 'moderates_here'],
      MODERATOR: [elsewhere, elsewhere, elsewhere, 'moderates_here'],
    }
    const expected = Reflect.get(here, role) ?? Array(4).fill(content ? 'manages_content' : 'no_event_role')
    expect(atEach((at) => canModerate(person, at))).toEqual(expected)
    const allowed = PLACES.map((at) => canModerate(person, at).allow)
    expect(allowed).toEqual(expected.map((reason: string) => /^(manages|speaks|moderates)/.test(reason)))
  })

  test('gets the highest of its roles in the room', () => {
    const here = {
      PRESENTER: ['viewer', 'host', 'speaker', 'moderator'],
      MODERATOR: ['viewer', 'host', 'viewer', 'moderator'],
    }
    const expected =
      Reflect.get(here, role) ??
      (content ? ['host', 'host', 'speaker', 'host'] : ['viewer', 'host', 'viewer', 'viewer'])
    expect(PLACES.map((at) => roomRoleOf(person, at))).toEqual(expected)
  })

  test('may be assigned to the staff of an event', () => {
    const may = (place: WorkshopRole) => ASSIGNABLE_ROLES[place].includes(role)
    const speaks = content || role === 'PRESENTER'
    expect([may('host'), may('speaker'), may('moderator')]).toEqual([speaks, speaks, speaks || role === 'MODERATOR'])
  })
})

test.each(ROOM_ROLES)('a %s has the permissions of the room', (role) => {
  const speaks = role === 'host' || role === 'speaker'
  const rights = (['start', 'present', 'publish', 'moderate', 'talk'] as const).map((right) => hasRight(role, right))
  const moderates = speaks || role === 'moderator'
  expect(rights).toEqual([speaks, speaks, speaks || role === 'student', moderates, true])
})

const MINUTE = 60_000
const NOW = new Date('2026-10-20T10:00:00Z')
const at = (minutes: number) => new Date(NOW.getTime() + minutes * MINUTE)
const facts = {
  publication: 'published',
  startAt: at(0),
  plannedMinutes: 90,
  startedAt: null,
  finishedAt: null,
} as const

describe('the status of an event', () => {
  test.each([
    [{ startAt: null }, 'upcoming'],
    [{ startAt: at(1) }, 'upcoming'],
    [{ startAt: at(0) }, 'pending'],
    [{ startAt: at(-89) }, 'pending'],
    [{ startAt: at(-90) }, 'expired'],
    [{ startAt: at(-59), plannedMinutes: 10 }, 'pending'],
    [{ startAt: at(-60), plannedMinutes: 10 }, 'expired'],
    [{ startAt: at(-60), startedAt: at(-60) }, 'active'],
    [{ startAt: at(-60), startedAt: at(-60), finishedAt: at(-1) }, 'finished'],
  ] as const)('%j is %s', (change, status) => {
    expect(sessionStatusOf({ ...facts, ...change }, NOW)).toBe(status)
    expect(eventStatusOf('webinar', { ...facts, ...change }, NOW)).toBe(status)
  })

  test.each([
    ['masterclass', { startAt: null }, 'active'],
    ['masterclass', { startAt: at(0) }, 'active'],
    ['masterclass', { startAt: at(1) }, 'upcoming'],
    ['masterclass', { startAt: at(-9), publication: 'draft' }, 'upcoming'],
    ['autoWebinar', { startAt: null }, 'upcoming'],
    ['autoWebinar', { startAt: at(1) }, 'upcoming'],
    ['autoWebinar', { startAt: at(0) }, 'active'],
    ['autoWebinar', { startAt: at(-89) }, 'active'],
    ['autoWebinar', { startAt: at(-90) }, 'finished'],
  ] as const)('of the type %s, %j is %s', (type, change, status) => {
    expect(eventStatusOf(type, { ...facts, ...change }, NOW)).toBe(status)
  })
})

describe('checks before publication', () => {
  const ready: EventPublishFacts = {
    type: 'webinar',
    title: 'Подія',
    description: 'Про що',
    startAt: at(1),
    access: 'open',
    hasCover: true,
    hasSlides: true,
    hosts: 1,
    moderators: 1,
    rehearsed: true,
    items: { button: 1, handout: 0, poll: 0 },
  }
  const failing = (change: Partial<EventPublishFacts>) =>
    eventPublishChecks({ ...ready, ...change }, NOW)
      .filter(({ passed }) => !passed)
      .map(({ key, isBlocking: blocks }) => `${key} ${blocks ? 'blocks' : 'advises'}`)

  const changes: [Partial<EventPublishFacts>, string[]][] = [
    [{}, []],
    [{ title: ' ' }, ['title blocks']],
    [{ startAt: null }, ['start blocks']],
    [{ startAt: at(0) }, ['start blocks']],
    [{ hosts: 0 }, ['host blocks']],
    [{ access: 'paid' }, ['access blocks']],
    [{ description: '\n' }, ['description advises']],
    [{ hasCover: false }, ['cover advises']],
    [{ hasSlides: false }, ['slides advises']],
    [{ items: { button: 0, handout: 0, poll: 0 } }, ['materials advises']],
    [{ items: { button: 0, handout: 1, poll: 0 } }, []],
    [{ items: { button: 0, handout: 0, poll: 1 } }, []],
    [{ moderators: 0 }, ['moderator advises']],
    [{ rehearsed: false }, ['rehearsal advises']],
  ]
  test.each(changes)('%j: %j', (change, expected) => {
    expect(failing(change)).toEqual(expected)
    expect(canPublishEvent(eventPublishChecks({ ...ready, ...change }, NOW))).toBe(!expected.join().includes('blocks'))
  })

  test('a recording needs neither a start nor staff, a masterclass no slides', () => {
    const keys = (type: 'autoWebinar' | 'masterclass') =>
      eventPublishChecks({ ...ready, type, startAt: null }, NOW).map(({ key }) => key)
    const always = ['title', 'host', 'access', 'description', 'cover']
    expect(keys('autoWebinar')).toEqual([...always, 'slides', 'materials'])
    expect(keys('masterclass')).toEqual([...always, 'materials'])
  })
})

test('the URL of an event contains its type', () => {
  expect(editPath('autoWebinar', '7')).toBe('/workshops/auto-webinar/7')
  expect([editPath('webinar', '7'), editPath('masterclass', '7')]).toEqual([
    '/workshops/webinar/7',
    '/workshops/masterclass/7',
  ])
})

describe('an ambiguous local time when clocks change', () => {
  test.each([
    ['Europe/Kyiv', '2026-03-29', '03:30', 'skipped'],
    ['Europe/Kyiv', '2026-03-29', '04:00', null],
    ['Europe/Kyiv', '2026-10-25', '03:30', 'twice'],
    ['Europe/Kyiv', '2026-10-25', '04:00', null],
    ['Europe/Kyiv', '2026-10-24', '03:30', null],
    ['Australia/Lord_Howe', '2026-04-05', '01:45', 'twice'],
    ['Australia/Lord_Howe', '2026-04-05', '02:00', null],
    ['Antarctica/Troll', '2026-10-25', '01:30', 'twice'],
  ] as const)('in %s, %s at %s is %s', (zone, day, time, problem) => {
    expect(findClockAmbiguity(day, time, zone)).toBe(problem)
  })

  test('means the second occurrence where that is chosen', () => {
    expect(laterInstantOf('2026-10-25', '03:30', 'Europe/Kyiv').toISOString()).toBe('2026-10-25T01:30:00.000Z')
    expect(laterInstantOf('2026-10-24', '03:30', 'Europe/Kyiv').toISOString()).toBe('2026-10-24T00:30:00.000Z')
    expect(laterInstantOf('2026-04-05', '01:45', 'Australia/Lord_Howe').toISOString()).toBe('2026-04-04T15:15:00.000Z')
  })
})
