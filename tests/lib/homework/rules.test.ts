import { describe, expect, test } from 'vitest'
import { HOMEWORK_STATES } from '#lib/core/shared/learning.ts'
import { ROLES, type Role } from '#lib/core/shared/role.ts'
import { canReview } from '#lib/homework/review/rules.ts'
import {
  acceptedTypes,
  bytesForType,
  canSee,
  canSubmit,
  FILE_BYTES,
  HOMEWORK_ACTS,
  type HomeworkAct,
  lateness,
  MOST_BYTES,
  nextState,
  takesFile,
  takesVoice,
  VIDEO_BYTES,
  writable,
} from '#lib/homework/rules.ts'

const MANAGERS: Role[] = ['OWNER', 'DIRECTOR', 'EXPERT']

describe('who may do what with a work', () => {
  test.each(ROLES)('%s', (role) => {
    const person = { roles: [role] }
    const manages = MANAGERS.includes(role)
    const student = role === 'STUDENT'
    expect(canSubmit(person, { own: true }).allow).toBe(student)
    expect(canSubmit(person, { own: false }).allow).toBe(false)
    expect(canReview(person, true).allow).toBe(manages || role === 'CURATOR')
    expect(canReview(person, false).allow).toBe(manages)
    expect(canSee(person, { own: true, assigned: false }).allow).toBe(manages || student)
    expect(canSee(person, { own: false, assigned: true }).allow).toBe(manages || role === 'CURATOR')
    expect(canSee(person, { own: false, assigned: false }).allow).toBe(manages)
  })

  test('a student can submit', () => {
    expect(canSubmit({ roles: ['STUDENT'] }, { own: true })).toEqual({ allow: true, because: 'own_work' })
  })

  test('somebody without a role does nothing, and every no says why', () => {
    const nobody = { roles: [] }
    const student = { roles: ['STUDENT' as const] }
    expect(canSee(student, { own: true, assigned: false })).toEqual({ allow: true, because: 'own_work' })
    expect(canSubmit(student, { own: false })).toEqual({ allow: false, because: 'another_students_work' })
    expect(canSubmit(nobody, { own: true })).toEqual({ allow: false, because: 'not_a_student' })
    expect(canSee(nobody, { own: false, assigned: true })).toEqual({ allow: false, because: 'no_review_role' })
    expect(canReview({ roles: ['CURATOR'] }, false)).toEqual({ allow: false, because: 'curator_not_assigned' })
    expect(canSee({ roles: ['STUDENT'] }, { own: false, assigned: true }).because).toBe('another_students_work')
  })
})

/** Product.md 6, act by act; what is not named has no place. */
const FOLLOWS: Record<(typeof HOMEWORK_STATES)[number], Partial<Record<HomeworkAct, string>>> = {
  draft: { submit: 'submitted' },
  submitted: { withdraw: 'draft', open: 'in_review' },
  in_review: { release: 'submitted', accept: 'accepted', return: 'returned', reject: 'rejected' },
  returned: { begin: 'draft', reopen: 'in_review' },
  accepted: { reopen: 'in_review' },
  rejected: { reopen: 'in_review' },
}

describe.each(HOMEWORK_STATES)('an attempt that is %s', (state) => {
  test.each(HOMEWORK_ACTS)('%s', (act) => {
    expect(nextState(state, act)).toBe(FOLLOWS[state][act] ?? null)
  })
})

test.each([
  [null, null, { attempt: 1 }],
  [{ attempt: 1, state: 'draft' }, 1, { attempt: 1 }],
  [{ attempt: 1, state: 'submitted' }, null, { because: 'closed' }],
  [{ attempt: 1, state: 'in_review' }, null, { because: 'closed' }],
  [{ attempt: 1, state: 'accepted' }, null, { because: 'closed' }],
  [{ attempt: 1, state: 'rejected' }, null, { because: 'closed' }],
  [{ attempt: 1, state: 'returned' }, null, { attempt: 2 }],
  [{ attempt: 2, state: 'returned' }, 3, { attempt: 3 }],
  [{ attempt: 2, state: 'returned' }, 2, { because: 'exhausted' }],
] as const)('after %j of at most %j attempts: %j', (latest, maxAttempts, expected) => {
  expect(writable({ latest, maxAttempts })).toEqual(expected)
})

test.each([
  [null, 'refuse', { late: false, refused: false }],
  [-1, 'accept', { late: false, refused: false }],
  [-1, 'acceptMarked', { late: true, refused: false }],
  [-1, 'refuse', { late: true, refused: true }],
  [0, 'refuse', { late: false, refused: false }],
  [1, 'refuse', { late: false, refused: false }],
] as const)('due in %j ms under %s: %j', (left, latePolicy, expected) => {
  const now = new Date('2026-11-21T10:00:00Z')
  const dueAt = left === null ? null : new Date(now.getTime() + left)
  expect(lateness({ dueAt, latePolicy }, now)).toEqual(expected)
})

test.each([
  [[], { kind: 'file', name: 'a.bin' }, true],
  [['video'], { kind: 'video', name: 'a.mp4' }, true],
  [['video'], { kind: 'image', name: 'a.png' }, false],
  [['image', '.psd'], { kind: 'file', name: 'Макет.PSD' }, true],
  [['.psd'], { kind: 'file', name: 'psd.zip' }, false],
])('%j takes %j: %s', (accept, about, expected) => {
  expect(takesFile(accept, about)).toBe(expected)
})

describe('limits of a video', () => {
  test('the usual limit follows the type, and an author’s own stays', () => {
    expect(bytesForType('video', FILE_BYTES)).toBe(VIDEO_BYTES)
    expect(bytesForType('file', VIDEO_BYTES)).toBe(FILE_BYTES)
    expect(bytesForType('video', 5_000_000)).toBe(5_000_000)
    expect(bytesForType('file', 5_000_000)).toBe(5_000_000)
    expect(bytesForType('video', bytesForType('video', FILE_BYTES))).toBe(VIDEO_BYTES)
    // Five minutes of 4K from a phone: 350 MB a minute.
    expect(VIDEO_BYTES).toBeGreaterThan(5 * 350_000_000)
    expect(VIDEO_BYTES).toBeLessThanOrEqual(MOST_BYTES)
  })

  test.each([
    { type: 'file' as const, acceptTypes: [], voice: true },
    { type: 'file' as const, acceptTypes: ['doc', 'audio'], voice: true },
    { type: 'file' as const, acceptTypes: ['.m4a'], voice: true },
    { type: 'file' as const, acceptTypes: ['image', '.pdf'], voice: false },
    { type: 'video' as const, acceptTypes: [], voice: false },
  ])('a task $type that takes [$acceptTypes] takes a voice: $voice', ({ voice, ...about }) => {
    expect(takesVoice(about)).toBe(voice)
  })
})

test('a task for a video is not narrowed by what was chosen for files before', () => {
  expect(acceptedTypes({ type: 'video', acceptTypes: ['image'] })).toEqual([])
  expect(acceptedTypes({ type: 'file', acceptTypes: ['image'] })).toEqual(['image'])
})
