import type { HomeworkState } from '#lib/core/shared/learning.ts'
import { hasRole, type Role } from '#lib/core/shared/role.ts'
import { allow, deny, type Verdict } from '#lib/core/shared/verdict.ts'
import { canReview } from './review/rules.ts'

interface Person {
  roles: readonly Role[]
}

/** Looks at a work: its student, and who may judge it. `assigned`: stands in the course's staff. */
export function canSee(person: Person, { own, assigned }: { own: boolean; assigned: boolean }): Verdict {
  if (hasRole(person, ['STUDENT'])) return own ? allow('own_work') : deny('another_students_work')
  return canReview(person, assigned)
}

/** Writes, hands in, takes back: a student, and only what is the student's own. */
export function canSubmit(person: Person, { own }: { own: boolean }): Verdict {
  if (!hasRole(person, ['STUDENT'])) return deny('not_a_student')
  return own ? allow('own_work') : deny('another_students_work')
}

/** `begin` begins the next attempt; the one before stays as it was judged. */
export const HOMEWORK_ACTS = [
  'submit',
  'withdraw',
  'open',
  'release',
  'accept',
  'return',
  'reject',
  'reopen',
  'begin',
] as const
export type HomeworkAct = (typeof HOMEWORK_ACTS)[number]

const TRANSITIONS: Record<HomeworkState, Partial<Record<HomeworkAct, HomeworkState>>> = {
  draft: { submit: 'submitted' },
  submitted: { withdraw: 'draft', open: 'in_review' },
  in_review: { release: 'submitted', accept: 'accepted', return: 'returned', reject: 'rejected' },
  accepted: { reopen: 'in_review' },
  returned: { reopen: 'in_review', begin: 'draft' },
  rejected: { reopen: 'in_review' },
}

/** Where an attempt stands after an act, or null where that act has no place. `begin` tells of the next attempt. */
export function nextState(state: HomeworkState, act: HomeworkAct): HomeworkState | null {
  return TRANSITIONS[state][act] ?? null
}

export interface Attempts {
  /** The latest attempt; null before the first one. */
  latest: { attempt: number; state: HomeworkState } | null
  maxAttempts: number | null
}

/** The attempt that a student may write in now, and why there is none. */
export function writable({ latest, maxAttempts }: Attempts): { attempt: number } | { because: 'closed' | 'exhausted' } {
  if (latest?.state === 'draft') return { attempt: latest.attempt }
  if (latest && nextState(latest.state, 'begin') === null) return { because: 'closed' }
  const attempt = (latest?.attempt ?? 0) + 1
  return maxAttempts !== null && attempt > maxAttempts ? { because: 'exhausted' } : { attempt }
}

/** Whether work may be handed in at a moment, and whether it is marked as late. */
export function lateness(
  { dueAt, latePolicy }: { dueAt: Date | null; latePolicy: 'accept' | 'acceptMarked' | 'refuse' },
  now: Date,
): { late: boolean; refused: boolean } {
  const past = dueAt !== null && now > dueAt
  return { late: past && latePolicy !== 'accept', refused: past && latePolicy === 'refuse' }
}

/** Bytes of one file that a task may allow at most. */
export const MOST_BYTES = 10 * 1024 ** 3
/** Bytes of one file in a new task. */
export const FILE_BYTES = 200 * 1024 ** 2
/** The same for a video: five minutes of a phone in 1080p are about 650 MB, in 4K up to 1.75 GB. */
export const VIDEO_BYTES = 2 * 1024 ** 3

/** The limit of a file after a task's type changes: the usual one of its type, unless the author has set another. */
export function bytesForType(type: 'file' | 'video', maxBytes: number): number {
  if (type === 'video') return maxBytes === FILE_BYTES ? VIDEO_BYTES : maxBytes
  return maxBytes === VIDEO_BYTES ? FILE_BYTES : maxBytes
}

/** What a task's files are narrowed to. The editor offers no choice for a video, and one made before must not refuse it. */
export const acceptedTypes = ({ type, acceptTypes }: { type: 'file' | 'video'; acceptTypes: string[] }): string[] =>
  type === 'video' ? [] : acceptTypes

/** Whether a task takes an answer that is recorded as sound. */
export const takesVoice = (task: { type: 'file' | 'video'; acceptTypes: string[] }): boolean =>
  task.type === 'file' && takesFile(task.acceptTypes, { kind: 'audio', name: 'voice.m4a' })

/** Whether a task takes a file: by its kind, or by the end of its name (`.psd`). An empty list takes everything. */
export function takesFile(accept: readonly string[], { kind, name }: { kind: string; name: string }): boolean {
  const small = name.toLowerCase()
  return accept.length === 0 || accept.some((one) => (one.startsWith('.') ? small.endsWith(one) : one === kind))
}
