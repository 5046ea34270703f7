import { describe, expect, test } from 'vitest'
import { SUBMISSION_STATES } from '#lib/core/shared/learning.ts'
import { ROLES, type Role } from '#lib/core/shared/role.ts'
import { canReview } from '#lib/homework/review/rules.ts'
import {
  acceptedTypes,
  acceptsVoice,
  canSeeSubmission,
  canSubmit,
  checkDeadline,
  DEFAULT_FILE_BYTES,
  DEFAULT_VIDEO_BYTES,
  HOMEWORK_ACTIONS,
  type HomeworkAction,
  MAX_ANSWER_FILE_BYTES,
  maxBytesForType,
  nextAttempt,
  nextSubmissionState,
  taskAcceptsFile,
} from '#lib/homework/rules.ts'

const MANAGERS: Role[] = ['OWNER', 'DIRECTOR', 'EXPERT']

describe('permissions of submissions', () => {
  test.each(ROLES)('%s', (role) => {
    const person = { roles: [role] }
    const manages = MANAGERS.includes(role)
    const student = role === 'STUDENT'
    expect(canSubmit(person, { isOwn: true }).allow).toBe(student)
    expect(canSubmit(person, { isOwn: false }).allow).toBe(false)
    expect(canReview(person, true).allow).toBe(manages || role === 'CURATOR')
    expect(canReview(person, false).allow).toBe(manages)
    expect(canSeeSubmission(person, { isOwn: true, isAssigned: false }).allow).toBe(manages || student)
    expect(canSeeSubmission(person, { isOwn: false, isAssigned: true }).allow).toBe(manages || role === 'CURATOR')
    expect(canSeeSubmission(person, { isOwn: false, isAssigned: false }).allow).toBe(manages)
  })

  test('a student can submit', () => {
    expect(canSubmit({ roles: ['STUDENT'] }, { isOwn: true })).toEqual({ allow: true, reason: 'own_work' })
  })

  test('a person without a role may do nothing, and every refusal has a reason', () => {
    const nobody = { roles: [] }
    const student = { roles: ['STUDENT' as const] }
    expect(canSeeSubmission(student, { isOwn: true, isAssigned: false })).toEqual({
      allow: true,
      reason: 'own_work',
    })
    expect(canSubmit(student, { isOwn: false })).toEqual({ allow: false, reason: 'another_students_work' })
    expect(canSubmit(nobody, { isOwn: true })).toEqual({ allow: false, reason: 'not_a_student' })
    expect(canSeeSubmission(nobody, { isOwn: false, isAssigned: true })).toEqual({
      allow: false,
      reason: 'no_review_role',
    })
    expect(canReview({ roles: ['CURATOR'] }, false)).toEqual({ allow: false, reason: 'curator_not_assigned' })
    expect(canSeeSubmission({ roles: ['STUDENT'] }, { isOwn: false, isAssigned: true }).reason).toBe(
      'another_students_work',
    )
  })
})

/** Product.md 6, action by action; every other transition is refused. */
const FOLLOWS: Record<(typeof SUBMISSION_STATES)[number], Partial<Record<HomeworkAction, string>>> = {
  draft: { submit: 'submitted', complete: 'accepted' },
  submitted: { withdraw: 'draft', open: 'in_review' },
  in_review: { release: 'submitted', accept: 'accepted', return: 'returned', reject: 'rejected' },
  returned: { begin: 'draft', reopen: 'in_review' },
  accepted: { reopen: 'in_review' },
  rejected: { reopen: 'in_review' },
}

describe.each(SUBMISSION_STATES)('an attempt that is %s', (state) => {
  test.each(HOMEWORK_ACTIONS)('%s', (action) => {
    expect(nextSubmissionState(state, action)).toBe(FOLLOWS[state][action] ?? null)
  })
})

test.each([
  [null, null, { attempt: 1 }],
  [{ attempt: 1, state: 'draft' }, 1, { attempt: 1 }],
  [{ attempt: 1, state: 'submitted' }, null, { reason: 'closed' }],
  [{ attempt: 1, state: 'in_review' }, null, { reason: 'closed' }],
  [{ attempt: 1, state: 'accepted' }, null, { reason: 'closed' }],
  [{ attempt: 1, state: 'rejected' }, null, { reason: 'closed' }],
  [{ attempt: 1, state: 'returned' }, null, { attempt: 2 }],
  [{ attempt: 2, state: 'returned' }, 3, { attempt: 3 }],
  [{ attempt: 2, state: 'returned' }, 2, { reason: 'exhausted' }],
] as const)('after %j of at most %j attempts: %j', (latest, maxAttempts, expected) => {
  expect(nextAttempt({ latest, maxAttempts })).toEqual(expected)
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
  expect(checkDeadline({ dueAt, latePolicy }, now)).toEqual(expected)
})

test.each([
  [[], { kind: 'file', name: 'a.bin' }, true],
  [['video'], { kind: 'video', name: 'a.mp4' }, true],
  [['video'], { kind: 'image', name: 'a.png' }, false],
  [['image', '.psd'], { kind: 'file', name: 'Макет.PSD' }, true],
  [['.psd'], { kind: 'file', name: 'psd.zip' }, false],
])('%j takes %j: %s', (accept, about, expected) => {
  expect(taskAcceptsFile(accept, about)).toBe(expected)
})

describe('limits of a video answer', () => {
  test("follow the type by default, and keep an author's own value", () => {
    expect(maxBytesForType('video', DEFAULT_FILE_BYTES)).toBe(DEFAULT_VIDEO_BYTES)
    expect(maxBytesForType('file', DEFAULT_VIDEO_BYTES)).toBe(DEFAULT_FILE_BYTES)
    expect(maxBytesForType('video', 5_000_000)).toBe(5_000_000)
    expect(maxBytesForType('file', 5_000_000)).toBe(5_000_000)
    expect(maxBytesForType('video', maxBytesForType('video', DEFAULT_FILE_BYTES))).toBe(DEFAULT_VIDEO_BYTES)
    // Five minutes of 4K from a phone: 350 MB per minute.
    expect(DEFAULT_VIDEO_BYTES).toBeGreaterThan(5 * 350_000_000)
    expect(DEFAULT_VIDEO_BYTES).toBeLessThanOrEqual(MAX_ANSWER_FILE_BYTES)
  })

  test.each([
    { type: 'file' as const, acceptTypes: [], voice: true },
    { type: 'file' as const, acceptTypes: ['doc', 'audio'], voice: true },
    { type: 'file' as const, acceptTypes: ['.m4a'], voice: true },
    { type: 'file' as const, acceptTypes: ['image', '.pdf'], voice: false },
    { type: 'video' as const, acceptTypes: [], voice: false },
  ])('a task $type that takes [$acceptTypes] takes a voice: $voice', ({ voice, ...about }) => {
    expect(acceptsVoice(about)).toBe(voice)
  })
})

test('of a video task ignore the file types selected earlier', () => {
  expect(acceptedTypes({ type: 'video', acceptTypes: ['image'] })).toEqual([])
  expect(acceptedTypes({ type: 'file', acceptTypes: ['image'] })).toEqual(['image'])
})
