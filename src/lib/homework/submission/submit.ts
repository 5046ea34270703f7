import { eq } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { SubmissionState } from '#lib/core/shared/learning.ts'
import { HOUR_MS } from '#lib/core/shared/time.ts'
import { chooseReviewer } from '#lib/course/choose-reviewer.ts'
import { course } from '#lib/course/table.ts'
import { attachFiles, detachFiles } from '#lib/storage/file-use.ts'
import { publishLock, recordEvent } from '../review/lock.ts'
import { nextSubmissionState } from '../rules.ts'
import { submission } from '../table.ts'
import { updateLessonState } from '../task/lesson-state.ts'
import { requireCompleteAnswer } from './answer-files.ts'
import {
  answerRefusal,
  getOrCreateDraft,
  lockLatestAttempt,
  requireBeforeDeadline,
  requirePublishedTask,
  requireSubmittingStudent,
  type SubmissionRow,
  type TaskRow,
} from './attempt.ts'
import { sendReceiptEmail } from './receipt-email.ts'
import type { OwnSubmission, SaveDraft, SubmitAnswer } from './schema.ts'

/**
 * Saves the text of an attempt that is not submitted yet; the same text again changes nothing. Refuses with forbidden,
 * not_found, unprocessable (homework_closed, homework_no_attempts), and conflict with the newer text and its version.
 */
export async function saveAnswerDraft(actor: Actor, input: SaveDraft): Promise<{ version: number }> {
  requireSubmittingStudent(actor)
  const { taskId, attempt, version, text } = input
  return inTenant(actor, async (tx) => {
    const taskRow = await requirePublishedTask(tx, taskId)
    const latest = await lockLatestAttempt(tx, actor, taskId)
    // A page that was still saving sends the submitted text again.
    if (latest?.attempt === attempt && latest.text === text) return { version: latest.version }
    const draft = await getOrCreateDraft(tx, actor, taskRow, attempt)
    if (draft.text === text) return { version: draft.version }
    // The attempt was created by this request or by an upload, without any text.
    const isUntouched = version === 0 && draft.version === 1
    if (draft.version !== version && !isUntouched) {
      throw new Refusal('conflict', { data: { version: draft.version, text: draft.text } })
    }
    return { version: await updateAttempt(tx, draft, { text }) }
  })
}

export interface SubmissionReceipt {
  submissionId: string
  state: SubmissionState
  submittedAt: Date | null
  late: boolean
}

/**
 * Submits an attempt and emails a receipt; without curator support it is accepted at once. Repeated requests with the same text are submitted once. Refuses with
 * forbidden (homework_locked), not_found, unprocessable: homework_empty, homework_needs_video, homework_uploading,
 * homework_late, homework_no_attempts, homework_closed.
 */
export async function submitAnswer(actor: Actor, input: SubmitAnswer): Promise<SubmissionReceipt> {
  requireSubmittingStudent(actor)
  const { taskId, attempt, text } = input
  return inTenant(actor, async (tx) => {
    const taskRow = await requirePublishedTask(tx, taskId)
    const latest = await lockLatestAttempt(tx, actor, taskId)
    if (latest?.attempt === attempt && latest.text === text && isSubmitted(latest)) return toReceipt(latest)
    const draft = await getOrCreateDraft(tx, actor, taskRow, attempt)
    const now = new Date()
    const { late, hasCuratorSupport } = await requireBeforeDeadline(tx, actor, taskRow, now)
    await requireCompleteAnswer(tx, taskRow, { text, fileIds: draft.fileIds })
    const state = nextSubmissionState(draft.state, hasCuratorSupport ? 'submit' : 'complete') ?? draft.state
    const answerBy = hasCuratorSupport ? await responseDeadline(tx, taskRow, now) : null
    const assignedTo = hasCuratorSupport ? await chooseReviewer(tx, draft) : null
    const submitted = { state, text, submittedAt: now, late, answerBy, assignedTo }
    await updateAttempt(tx, draft, submitted)
    await recordEvent(tx, actor, draft.id, 'submitted')
    await sendReceiptEmail(tx, actor, { ...draft, ...submitted }, taskRow)
    await attachFiles(actor, { kind: 'submission', id: draft.id, title: taskRow.title }, draft.fileIds)
    await updateLessonState(tx, actor, { studentId: actor.membershipId, lessonId: taskRow.lessonId })
    await publishLock(draft.id, { state, holder: null })
    return toReceipt({ ...draft, ...submitted })
  })
}

/**
 * Withdraws a submitted attempt for further editing, while no reviewer has opened it. A second call changes nothing.
 * Refuses with forbidden, not_found, unprocessable (homework_opened, homework_closed).
 */
export async function withdrawAnswer(actor: Actor, input: OwnSubmission): Promise<void> {
  requireSubmittingStudent(actor)
  const { taskId, attempt } = input
  return inTenant(actor, async (tx) => {
    const taskRow = await requirePublishedTask(tx, taskId)
    const latest = await lockLatestAttempt(tx, actor, taskId)
    if (!latest) throw new Refusal('not_found')
    if (latest.attempt === attempt && latest.state === 'draft') return
    if (latest.state === 'in_review') throw answerRefusal('homework_opened')
    const state = nextSubmissionState(latest.state, 'withdraw')
    if (latest.attempt !== attempt || state === null) throw answerRefusal('homework_closed')
    await updateAttempt(tx, latest, { state, submittedAt: null, late: false, answerBy: null })
    await recordEvent(tx, actor, latest.id, 'withdrawn')
    await detachFiles(actor, { kind: 'submission', id: latest.id })
    await updateLessonState(tx, actor, { studentId: actor.membershipId, lessonId: taskRow.lessonId })
    await publishLock(latest.id, { state, holder: null })
  })
}

/**
 * Records that the student has seen the verdict of an attempt. A second call changes nothing. Refuses with not_found.
 */
export async function markVerdictSeen(actor: Actor, input: OwnSubmission): Promise<void> {
  requireSubmittingStudent(actor)
  const { taskId, attempt } = input
  return inTenant(actor, async (tx) => {
    await requirePublishedTask(tx, taskId)
    const latest = await lockLatestAttempt(tx, actor, taskId)
    if (latest?.attempt !== attempt || !latest.reviewedAt || latest.readByStudentAt) return
    await tx.update(submission).set({ readByStudentAt: new Date() }).where(eq(submission.id, latest.id))
  })
}

// An answer that nobody reviews is accepted at once.
const isSubmitted = ({ state, reviewedAt }: SubmissionRow): boolean =>
  state === 'submitted' || state === 'in_review' || (state === 'accepted' && reviewedAt === null)

const toReceipt = ({ id, state, submittedAt, late }: SubmissionRow): SubmissionReceipt => ({
  submissionId: id,
  state,
  submittedAt,
  late,
})

async function updateAttempt(tx: Tx, { id, version }: SubmissionRow, change: Partial<SubmissionRow>): Promise<number> {
  const nextVersion = version + 1
  await tx
    .update(submission)
    .set({ ...change, version: nextVersion, updatedAt: new Date() })
    .where(eq(submission.id, id))
  return nextVersion
}

/** The promised time of the review, by the hours of the task or else the course; null without any. */
async function responseDeadline(tx: Tx, { slaHours, courseId }: TaskRow, now: Date): Promise<Date | null> {
  const [courseRow] = await tx.select({ hours: course.homeworkSlaHours }).from(course).where(eq(course.id, courseId))
  const hours = slaHours ?? courseRow?.hours ?? null
  return hours === null ? null : new Date(now.getTime() + hours * HOUR_MS)
}
