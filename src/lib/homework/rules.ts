import type { SubmissionState } from '#lib/core/shared/learning.ts'
import { hasRole, type Role } from '#lib/core/shared/role.ts'
import { allow, deny, type Verdict } from '#lib/core/shared/verdict.ts'
import { canReview } from './review/rules.ts'

interface Person {
  roles: readonly Role[]
}

/**
 * Whether a person may see a submission: its student and its reviewers. `isAssigned`: belongs to the staff of the
 * course.
 */
export function canSeeSubmission(
  person: Person,
  { isOwn, isAssigned }: { isOwn: boolean; isAssigned: boolean },
): Verdict {
  if (hasRole(person, ['STUDENT'])) return isOwn ? allow('own_work') : deny('another_students_work')
  return canReview(person, isAssigned)
}

/** Whether a person may write, submit and withdraw: students, and only their own submissions. */
export function canSubmit(person: Person, { isOwn }: { isOwn: boolean }): Verdict {
  if (!hasRole(person, ['STUDENT'])) return deny('not_a_student')
  return isOwn ? allow('own_work') : deny('another_students_work')
}

/**
 * `begin` starts the next attempt; the previous one keeps its verdict. `complete` accepts an answer that nobody reviews,
 * because the access of the student does not include curator support.
 */
export const HOMEWORK_ACTIONS = [
  'submit',
  'withdraw',
  'open',
  'release',
  'accept',
  'return',
  'reject',
  'reopen',
  'begin',
  'complete',
] as const
export type HomeworkAction = (typeof HOMEWORK_ACTIONS)[number]

const TRANSITIONS: Record<SubmissionState, Partial<Record<HomeworkAction, SubmissionState>>> = {
  draft: { submit: 'submitted', complete: 'accepted' },
  submitted: { withdraw: 'draft', open: 'in_review' },
  in_review: { release: 'submitted', accept: 'accepted', return: 'returned', reject: 'rejected' },
  accepted: { reopen: 'in_review' },
  returned: { reopen: 'in_review', begin: 'draft' },
  rejected: { reopen: 'in_review' },
}

/**
 * The state of an attempt after an action, or null when the action is not allowed. For `begin` it is the state of the
 * next attempt.
 */
export function nextSubmissionState(state: SubmissionState, action: HomeworkAction): SubmissionState | null {
  return TRANSITIONS[state][action] ?? null
}

export interface Attempts {
  /** The latest attempt; null before the first one. */
  latest: { attempt: number; state: SubmissionState } | null
  maxAttempts: number | null
}

/** The attempt that a student can write now, or the reason why there is none. */
export function nextAttempt({
  latest,
  maxAttempts,
}: Attempts): { attempt: number } | { reason: 'closed' | 'exhausted' } {
  if (latest?.state === 'draft') return { attempt: latest.attempt }
  if (latest && nextSubmissionState(latest.state, 'begin') === null) return { reason: 'closed' }
  const attempt = (latest?.attempt ?? 0) + 1
  return maxAttempts !== null && attempt > maxAttempts ? { reason: 'exhausted' } : { attempt }
}

/** Whether an answer can be submitted at `now`, and whether it is marked as late. */
export function checkDeadline(
  { dueAt, latePolicy }: { dueAt: Date | null; latePolicy: 'accept' | 'acceptMarked' | 'refuse' },
  now: Date,
): { late: boolean; refused: boolean } {
  const isPastDue = dueAt !== null && now > dueAt
  return { late: isPastDue && latePolicy !== 'accept', refused: isPastDue && latePolicy === 'refuse' }
}

/** The largest size limit of a file, in bytes, that a task may set. */
export const MAX_ANSWER_FILE_BYTES = 10 * 1024 ** 3
/** Size limit of a file in a new task, in bytes. */
export const DEFAULT_FILE_BYTES = 200 * 1024 ** 2
/** The same for a video: five minutes from a phone are about 650 MB in 1080p and up to 1.75 GB in 4K. */
export const DEFAULT_VIDEO_BYTES = 2 * 1024 ** 3

/**
 * The size limit of a file after a change of the task's type: the default of the new type, unless the author has set
 * another limit.
 */
export function maxBytesForType(type: 'file' | 'video', maxBytes: number): number {
  if (type === 'video') return maxBytes === DEFAULT_FILE_BYTES ? DEFAULT_VIDEO_BYTES : maxBytes
  return maxBytes === DEFAULT_VIDEO_BYTES ? DEFAULT_FILE_BYTES : maxBytes
}

/**
 * The accepted kinds of files. They are ignored for a video task, because a choice that was made before a change of the
 * type must not exclude videos.
 */
export const acceptedTypes = ({ type, acceptTypes }: { type: 'file' | 'video'; acceptTypes: string[] }): string[] =>
  type === 'video' ? [] : acceptTypes

/** Whether a task accepts an audio recording as an answer. */
export const acceptsVoice = (task: { type: 'file' | 'video'; acceptTypes: string[] }): boolean =>
  task.type === 'file' && taskAcceptsFile(task.acceptTypes, { kind: 'audio', name: 'voice.m4a' })

/** Whether a file is accepted, by its kind or file name extension (`.psd`). An empty list accepts everything. */
export function taskAcceptsFile(accept: readonly string[], { kind, name }: { kind: string; name: string }): boolean {
  const lowerName = name.toLowerCase()
  return (
    accept.length === 0 ||
    accept.some((accepted) => (accepted.startsWith('.') ? lowerName.endsWith(accepted) : accepted === kind))
  )
}
