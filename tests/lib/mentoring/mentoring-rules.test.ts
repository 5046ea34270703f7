import { describe, expect, test } from 'vitest'
import { ROLES, type Role } from '#lib/core/shared/role.ts'
import { HOUR_MS, MINUTE_MS } from '#lib/core/shared/time.ts'
import type { Verdict } from '#lib/core/shared/verdict.ts'
import {
  type BookingAction,
  type BookingRelation,
  calendarIdOf,
  canBook,
  canConsent,
  canMove,
  canRunSession,
  canSeeBooking,
  canWritePrivateNotes,
  groupCalendarIdOf,
  isOpen,
  isRoomOpen,
  nextBookingState,
  roomOpensAt,
  usesCredit,
} from '#lib/mentoring/booking/rules.ts'
import { ANSWERS, BOOKING_STATES, type BookingState } from '#lib/mentoring/booking/schema.ts'
import {
  canCreateProgram,
  canManageProgram,
  canSeePrograms,
  listProgramGaps,
  nextProgramStatus,
} from '#lib/mentoring/program/rules.ts'
import { PROGRAM_ACTIONS, PROGRAM_PLACES, PROGRAM_STATUSES, ProgramSettings } from '#lib/mentoring/program/schema.ts'

const CONTENT: readonly Role[] = ['OWNER', 'DIRECTOR', 'EXPERT']
const NONE: BookingRelation = { isOwn: false, isMentor: false, isDeputy: false }
const startAt = new Date('2027-02-01T09:00:00Z')
const endAt = new Date('2027-02-01T10:00:00Z')
const from = (instant: Date, ms: number) => new Date(instant.getTime() + ms)
const rolesWith = (rule: (person: { roles: Role[] }) => Verdict) =>
  ROLES.filter((role) => {
    const { allow, reason } = rule({ roles: [role] })
    expect(reason).toMatch(/^[a-z_]+$/)
    return allow
  })
const expectRoles = (found: Role[], expected: readonly Role[]) => expect(found.toSorted()).toEqual([...expected].sort())

describe('permissions', () => {
  test('a booking is seen by its student, its mentor or deputy, and managers of content', () => {
    const see = (relation: Partial<BookingRelation>) =>
      rolesWith((person) => canSeeBooking(person, { ...NONE, ...relation }))
    expectRoles(see({}), CONTENT)
    expectRoles(see({ isOwn: true }), [...CONTENT, 'STUDENT'])
    expectRoles(see({ isMentor: true }), [...CONTENT, 'MENTOR'])
    expectRoles(see({ isDeputy: true }), [...CONTENT, 'MENTOR'])
    const reasons = [{ isOwn: true }, {}].map(
      (relation) => canSeeBooking({ roles: ['STUDENT'] }, { ...NONE, ...relation }).reason,
    )
    expect(reasons).toEqual(['own_booking', 'booking_of_another'])
  })

  test('a student runs no session, and only the mentor writes private notes', () => {
    const all = { isOwn: true, isMentor: true, isDeputy: true }
    expectRoles(
      rolesWith((person) => canRunSession(person, all)),
      [...CONTENT, 'MENTOR'],
    )
    expectRoles(
      rolesWith((person) => canRunSession(person, NONE)),
      CONTENT,
    )
    expect(canRunSession({ roles: ['STUDENT'] }, all).reason).toBe('is_student')
    expectRoles(
      rolesWith((person) => canWritePrivateNotes(person, { isMentor: true })),
      ROLES.filter((role) => role !== 'STUDENT'),
    )
    expect(rolesWith((person) => canWritePrivateNotes(person, { isMentor: false }))).toEqual([])
    expect(rolesWith(canBook)).toEqual(['STUDENT'])
  })

  test('programs are seen by mentors, created by managers of content and changed by those and assigned mentors', () => {
    expectRoles(rolesWith(canSeePrograms), [...CONTENT, 'MENTOR'])
    expectRoles(rolesWith(canCreateProgram), CONTENT)
    expectRoles(
      rolesWith((person) => canManageProgram(person, true)),
      [...CONTENT, 'MENTOR'],
    )
    expectRoles(
      rolesWith((person) => canManageProgram(person, false)),
      CONTENT,
    )
    const reasons = (['MENTOR', 'STUDENT'] as const).map((role) => canManageProgram({ roles: [role] }, false).reason)
    expect(reasons).toEqual(['not_assigned', 'no_mentoring_role'])
  })
})

describe('a booking', () => {
  test('changes by the actions that its state allows', () => {
    const actions: BookingAction[] = [...ANSWERS, 'cancel']
    const next = (state: BookingState) => actions.map((action) => nextBookingState(state, action))
    expect(next('requested')).toEqual(['confirmed', null, null, null, 'canceledByMentor'])
    expect(next('confirmed')).toEqual([null, 'completed', 'noShowStudent', 'noShowMentor', 'canceledByMentor'])
    for (const state of BOOKING_STATES.filter((each) => !isOpen(each)))
      expect([state, next(state)]).toEqual([state, actions.map(() => null)])
    expect(BOOKING_STATES.filter(isOpen)).toEqual(['requested', 'confirmed'])
  })

  test('that is canceled costs the student the session only when it was confirmed and it is too late', () => {
    const cost = (state: BookingState, wasConfirmed: boolean, now: Date) =>
      usesCredit(state, { wasConfirmed, startAt, cancelHours: 24 }, now)
    const [inTime, late] = [from(startAt, -24 * HOUR_MS), from(startAt, -24 * HOUR_MS + 1)]
    expect([cost('canceledByStudent', true, inTime), cost('canceledByStudent', true, late)]).toEqual([false, true])
    expect(cost('canceledByStudent', false, late)).toBe(false)
    for (const state of ['canceledByMentor', 'noShowMentor'] as const) expect(cost(state, true, late)).toBe(false)
    for (const state of ['noShowStudent', 'completed', 'confirmed', 'requested'] as const)
      expect(cost(state, true, inTime)).toBe(true)
  })

  test('is moved while it is open, a limited number of times, in time', () => {
    const move = (change: { state?: BookingState; movedCount?: number }, now = from(startAt, -24 * HOUR_MS)) => {
      const verdict = canMove(
        { state: 'confirmed', movedCount: 1, startAt, ...change },
        { reschedules: 2, cancelHours: 24 },
        now,
      )
      return [verdict.allow, verdict.reason]
    }
    expect([move({}), move({ state: 'requested' })]).toEqual([
      [true, 'in_time'],
      [true, 'in_time'],
    ])
    expect(move({ state: 'completed' })).toEqual([false, 'session_closed'])
    expect(move({ movedCount: 2 })).toEqual([false, 'moved_too_often'])
    expect(move({}, from(startAt, -24 * HOUR_MS + 1))).toEqual([false, 'too_late_to_move'])
  })

  test('has one calendar entry for each side, and one for a group', () => {
    const ids = [calendarIdOf('b', 'student'), calendarIdOf('b', 'mentor'), groupCalendarIdOf('s')]
    expect(ids).toEqual(['b.student', 'b.mentor', 's.group'])
  })
})

describe('the room of a session', () => {
  const open = (now: Date, state: BookingState = 'confirmed') => isRoomOpen({ state, startAt, endAt }, now)

  test('is open from ten minutes before the start until an hour after the end', () => {
    const [opens, closes] = [from(startAt, -10 * MINUTE_MS), from(endAt, HOUR_MS)]
    expect(roomOpensAt(startAt)).toEqual(opens)
    expect([open(from(opens, -1)), open(opens), open(from(closes, -1)), open(closes)]).toEqual([
      false,
      true,
      true,
      false,
    ])
    expect(BOOKING_STATES.filter((state) => open(startAt, state))).toEqual(['confirmed', 'completed'])
  })

  test('is recorded with a consent that is given until it closes', () => {
    const consent = (now: Date, change: { place?: string; state?: BookingState } = {}) =>
      canConsent({ place: 'room', state: 'confirmed', endAt, ...change }, now)
    expect([consent(from(endAt, HOUR_MS - 1)), consent(from(endAt, HOUR_MS))]).toEqual([true, false])
    expect(PROGRAM_PLACES.filter((place) => consent(startAt, { place }))).toEqual(['room'])
    expect(BOOKING_STATES.filter((state) => consent(startAt, { state }))).toEqual(['requested', 'confirmed'])
  })
})

describe('a program', () => {
  test('is published, returned, archived and restored', () => {
    const next = PROGRAM_STATUSES.map((status) => PROGRAM_ACTIONS.map((action) => nextProgramStatus(status, action)))
    expect(next).toEqual([
      ['published', null, 'archived', null],
      [null, 'draft', 'archived', null],
      [null, null, null, 'draft'],
    ])
  })

  test('needs a mentor with hours and a place; a description is recommended', () => {
    const complete = ProgramSettings.parse({
      title: 'Портфоліо',
      mentorIds: ['018f4d2e-0000-7000-8000-000000000001'],
      place: 'link',
      placeText: 'https://meet.example.com/room',
      description: 'Опис',
    })
    const gaps = (change: Partial<ProgramSettings>, withHours = 1) =>
      listProgramGaps({ ...complete, ...change }, withHours).map(({ check, isRequired }) => `${check} ${isRequired}`)
    expect(gaps({})).toEqual([])
    expect(gaps({ mentorIds: [] }, 0)).toEqual(['mentors true'])
    expect(gaps({}, 0)).toEqual(['hours true'])
    const places = PROGRAM_PLACES.filter((place) => gaps({ place, placeText: '' }).length > 0)
    expect(places).toEqual(['link', 'office'])
    expect(gaps({ place: 'office', placeText: '' })).toEqual(['place true'])
    expect(gaps({ description: '' })).toEqual(['description false'])
  })
})
