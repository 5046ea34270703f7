import { eq } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { HomeworkState } from '#lib/core/shared/learning.ts'
import { course } from '#lib/course/table.ts'
import { attachFiles, detachFiles } from '#lib/storage/file-use.ts'
import { announceDesk, noteEvent } from '../review/lock.ts'
import { nextState } from '../rules.ts'
import { submission } from '../table.ts'
import { noteLesson } from '../task/lesson-state.ts'
import {
  type AttemptRow,
  closed,
  holdLatest,
  mustBeGiven,
  mustBeInTime,
  mustBeStudent,
  mustDraft,
  type TaskRow,
} from './attempt.ts'
import { mustHaveArrived } from './files.ts'
import { sendReceipt } from './receipt-email.ts'
import { OwnAttempt, SaveDraft, SubmitWork } from './schema.ts'

/**
 * Keeps the words of an attempt that is not handed in yet; the same words again change nothing. Refuses with forbidden,
 * not_found, unprocessable (homework_closed, homework_no_attempts), and conflict with the newer words and their version.
 */
export async function saveDraft(actor: Actor, input: SaveDraft): Promise<{ version: number }> {
  mustBeStudent(actor)
  const { taskId, attempt, version, text } = SaveDraft.parse(input)
  return inTenant(actor, async (tx) => {
    const about = await mustBeGiven(tx, taskId)
    const latest = await holdLatest(tx, actor, taskId)
    // The words that were handed in come once more from a page that was still keeping them.
    if (latest?.attempt === attempt && latest.text === text) return { version: latest.version }
    const draft = await mustDraft(tx, actor, about, attempt)
    if (draft.text === text) return { version: draft.version }
    // Nobody has written in it yet: it was begun by this very call, or by a file.
    const untouched = version === 0 && draft.version === 1
    if (draft.version !== version && !untouched) {
      throw new Refusal('conflict', { data: { version: draft.version, text: draft.text } })
    }
    return { version: await writeDown(tx, draft, { text }) }
  })
}

export interface Receipt {
  submissionId: string
  state: HomeworkState
  submittedAt: Date | null
  late: boolean
}

/**
 * Hands an attempt in, and mails a receipt. The same words of the same attempt again are handed in once. Refuses with
 * forbidden (homework_locked), not_found, unprocessable: homework_empty, homework_needs_video, homework_uploading,
 * homework_late, homework_no_attempts, homework_closed.
 */
export async function submitWork(actor: Actor, input: SubmitWork): Promise<Receipt> {
  mustBeStudent(actor)
  const { taskId, attempt, text } = SubmitWork.parse(input)
  return inTenant(actor, async (tx) => {
    const about = await mustBeGiven(tx, taskId)
    const latest = await holdLatest(tx, actor, taskId)
    if (latest?.attempt === attempt && latest.text === text && isWaiting(latest)) return receiptOf(latest)
    const draft = await mustDraft(tx, actor, about, attempt)
    const now = new Date()
    const { late } = await mustBeInTime(tx, actor, about, now)
    await mustHaveArrived(tx, about, { text, fileIds: draft.fileIds })
    const state = nextState(draft.state, 'submit') ?? draft.state
    const answerBy = await promisedBy(tx, about, now)
    const submitted = { state, text, submittedAt: now, late, answerBy }
    await writeDown(tx, draft, submitted)
    await noteEvent(tx, actor, draft.id, 'submitted')
    await sendReceipt(tx, actor, { ...draft, ...submitted }, about)
    await attachFiles(actor, { kind: 'submission', id: draft.id, title: about.title }, draft.fileIds)
    await noteLesson(tx, actor, { studentId: actor.membershipId, lessonId: about.lessonId })
    await announceDesk(draft.id, { state, holder: null })
    return receiptOf({ ...draft, ...submitted })
  })
}

/**
 * Takes a handed-in attempt back to go on writing, while nobody has opened it. A second call changes nothing. Refuses
 * with forbidden, not_found, unprocessable (homework_opened, homework_closed).
 */
export async function withdrawWork(actor: Actor, input: OwnAttempt): Promise<void> {
  mustBeStudent(actor)
  const { taskId, attempt } = OwnAttempt.parse(input)
  return inTenant(actor, async (tx) => {
    const about = await mustBeGiven(tx, taskId)
    const latest = await holdLatest(tx, actor, taskId)
    if (!latest) throw new Refusal('not_found')
    if (latest.attempt === attempt && latest.state === 'draft') return
    if (latest.state === 'in_review') throw closed('homework_opened')
    const state = nextState(latest.state, 'withdraw')
    if (latest.attempt !== attempt || state === null) throw closed('homework_closed')
    await writeDown(tx, latest, { state, submittedAt: null, late: false, answerBy: null })
    await noteEvent(tx, actor, latest.id, 'withdrawn')
    await detachFiles(actor, { kind: 'submission', id: latest.id })
    await noteLesson(tx, actor, { studentId: actor.membershipId, lessonId: about.lessonId })
    await announceDesk(latest.id, { state, holder: null })
  })
}

/** Notes that the student has seen the verdict of an attempt. A second call changes nothing. Refuses with not_found. */
export async function readVerdict(actor: Actor, input: OwnAttempt): Promise<void> {
  mustBeStudent(actor)
  const { taskId, attempt } = OwnAttempt.parse(input)
  return inTenant(actor, async (tx) => {
    await mustBeGiven(tx, taskId)
    const latest = await holdLatest(tx, actor, taskId)
    if (latest?.attempt !== attempt || !latest.reviewedAt || latest.readByStudentAt) return
    await tx.update(submission).set({ readByStudentAt: new Date() }).where(eq(submission.id, latest.id))
  })
}

const isWaiting = ({ state }: AttemptRow): boolean => state === 'submitted' || state === 'in_review'

const receiptOf = ({ id, state, submittedAt, late }: AttemptRow): Receipt => ({
  submissionId: id,
  state,
  submittedAt,
  late,
})

async function writeDown(tx: Tx, { id, version }: AttemptRow, change: Partial<AttemptRow>): Promise<number> {
  const next = version + 1
  await tx
    .update(submission)
    .set({ ...change, version: next, updatedAt: new Date() })
    .where(eq(submission.id, id))
  return next
}

/** When the school has promised an answer: the task's own hours, else the course's; null without any. */
async function promisedBy(tx: Tx, { slaHours, courseId }: TaskRow, now: Date): Promise<Date | null> {
  const [found] = await tx.select({ hours: course.homeworkSlaHours }).from(course).where(eq(course.id, courseId))
  const hours = slaHours ?? found?.hours ?? null
  return hours === null ? null : new Date(now.getTime() + hours * 3_600_000)
}
