import { expect, test } from 'vitest'
import { REGISTRATION_STATES, WORKSHOP_ACCESS } from '#lib/core/shared/event/live-event.ts'
import { decideEntry, type EntryCandidate, STAFF_ENTRY_MS } from '#lib/meeting/admission/rules.ts'

const stranger: EntryCandidate = { staff: null, isStudent: false, registration: null, hasName: false }

test.each(WORKSHOP_ACCESS)(
  'staff and those with a confirmed registration enter an event with the access %s',
  (access) => {
    expect(decideEntry(access, { ...stranger, staff: 'moderator' })).toBe('in')
    expect(decideEntry(access, { ...stranger, registration: 'confirmed' })).toBe('in')
  },
)

test.each([
  ['open', 'name', 'in', 'in'],
  ['link', 'name', 'in', 'in'],
  ['students', 'login', 'login', 'in'],
  ['registration', 'register', 'register', 'register'],
  ['paid', 'register', 'register', 'register'],
] as const)('access %s: a stranger gets %s, with a name %s, a student %s', (access, unnamed, named, student) => {
  expect(decideEntry(access, stranger)).toBe(unnamed)
  expect(decideEntry(access, { ...stranger, hasName: true })).toBe(named)
  expect(decideEntry(access, { ...stranger, isStudent: true })).toBe(student)
})

test.each(REGISTRATION_STATES.filter((state) => state !== 'confirmed'))(
  'a registration that is %s lets nobody in',
  (state) => {
    expect(decideEntry('registration', { ...stranger, registration: state })).toBe('register')
  },
)

test('staff join from a day before the start', () => {
  expect(STAFF_ENTRY_MS).toBe(86_400_000)
})
