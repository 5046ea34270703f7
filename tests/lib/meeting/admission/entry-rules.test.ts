import { expect, test } from 'vitest'
import { REGISTRATION_STATES, WORKSHOP_ACCESS } from '#lib/core/shared/event/live-event.ts'
import { type Comer, EARLY_MS, judgeEntry } from '#lib/meeting/admission/rules.ts'

const stranger: Comer = { staff: null, student: false, registration: null, named: false }

test.each(WORKSHOP_ACCESS)(
  'staff and those with a confirmed registration enter an event with the access %s',
  (access) => {
    expect(judgeEntry(access, { ...stranger, staff: 'moderator' })).toBe('in')
    expect(judgeEntry(access, { ...stranger, registration: 'confirmed' })).toBe('in')
  },
)

test.each([
  ['open', 'name', 'in', 'in'],
  ['link', 'name', 'in', 'in'],
  ['students', 'login', 'login', 'in'],
  ['registration', 'register', 'register', 'register'],
  ['paid', 'register', 'register', 'register'],
] as const)('access %s: a stranger gets %s, with a name %s, a student %s', (access, unnamed, named, student) => {
  expect(judgeEntry(access, stranger)).toBe(unnamed)
  expect(judgeEntry(access, { ...stranger, named: true })).toBe(named)
  expect(judgeEntry(access, { ...stranger, student: true })).toBe(student)
})

test.each(REGISTRATION_STATES.filter((state) => state !== 'confirmed'))(
  'a registration that is %s lets nobody in',
  (state) => {
    expect(judgeEntry('registration', { ...stranger, registration: state })).toBe('register')
  },
)

test('staff come in a day before the start', () => {
  expect(EARLY_MS).toBe(86_400_000)
})
