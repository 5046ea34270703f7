import { and, desc, eq, isNull, ne } from 'drizzle-orm'
import { requirePlan } from '#lib/billing/billing.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { personName } from '#lib/core/db/person-name.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { enqueueJob } from '#lib/core/jobs/jobs.ts'
import { publish } from '#lib/core/live/live.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { hasRole } from '#lib/core/shared/role.ts'
import { MINUTE_MS } from '#lib/core/shared/time.ts'
import { getLessonTerms } from '#lib/course/learning/lesson-terms.ts'
import { membership, user } from '#lib/user/table.ts'
import { isWithin, loadScope, requireQueueAccess } from '../review/scope.ts'
import { canSeeSubmission } from '../rules.ts'
import { homeworkMessage } from '../table.ts'
import { answerRefusal, requirePublishedTask, type TaskRow } from './attempt.ts'
import type { SendSubmissionMessage, ThreadRef } from './schema.ts'
import { markAnswered } from './waiting.ts'

export interface HomeworkMessageView {
  id: string
  body: string
  at: Date
  /** Name of the author. */
  author: string
  isMine: boolean
  /** Written by the student, not by a reviewer. */
  isFromStudent: boolean
  readAt: Date | null
}

const MAX_MESSAGES = 200
/** Emails are delayed so that several messages share one. */
const EMAIL_DELAY_MINUTES = 5

/** The messages of a student and the reviewers about a task, oldest first. Refuses with forbidden, not_found. */
export async function listHomeworkMessages(actor: Actor, input: ThreadRef): Promise<HomeworkMessageView[]> {
  return inTenant(actor, async (tx) => {
    const { taskRow, studentId } = await requireThread(tx, actor, input)
    return loadSubmissionMessages(tx, actor, taskRow.id, studentId)
  })
}

/**
 * Sends a message about a task; it is not an attempt. The other side receives one email about all messages within some
 * minutes. A repeated `key` is the same message. Refuses with forbidden, plan_inactive, not_found, unprocessable
 * (homework_no_support) for a student whose access does not include curator support.
 */
export async function sendHomeworkMessage(actor: Actor, input: SendSubmissionMessage): Promise<HomeworkMessageView> {
  const { body, key, ...thread } = input
  if (!hasRole(actor, ['STUDENT'])) requirePlan(actor, 'lms')
  return inTenant(actor, async (tx) => {
    const { taskRow, studentId, hasCuratorSupport } = await requireThread(tx, actor, thread)
    if (!hasCuratorSupport) throw answerRefusal('homework_no_support')
    const { tenantId, membershipId: authorId } = actor
    const id = key ?? newId()
    await tx
      .insert(homeworkMessage)
      .values({ tenantId, id, taskId: taskRow.id, studentId, authorId, body })
      .onConflictDoNothing()
    if (studentId !== authorId) await markAnswered(tx, { taskId: taskRow.id, studentId })
    const sent = (await loadSubmissionMessages(tx, actor, taskRow.id, studentId)).find((message) => message.id === id)
    if (!sent) throw new Refusal('conflict')
    const toStudent = studentId !== authorId
    const startAfter = new Date(Date.now() + EMAIL_DELAY_MINUTES * MINUTE_MS)
    const singletonKey = `${taskRow.id} ${studentId} ${toStudent}`
    await enqueueJob(
      'homework.sendMessageEmail',
      { tenantId, taskId: taskRow.id, studentId, toStudent },
      { startAfter, singletonKey },
    )
    await publish(`homework:${studentId}`, { taskId: taskRow.id, event: 'message' } satisfies HomeworkEvent)
    return sent
  })
}

/** Sent on the channel `homework:{studentId}`. */
interface HomeworkEvent {
  taskId: string
  event: 'message' | 'read'
}

/** Marks the other side's messages as read. A second call changes nothing. Refuses as listMessages. */
export async function readHomeworkMessages(actor: Actor, input: ThreadRef): Promise<void> {
  return inTenant(actor, async (tx) => {
    const { taskRow, studentId } = await requireThread(tx, actor, input)
    const fromOtherSide =
      studentId === actor.membershipId
        ? ne(homeworkMessage.authorId, studentId)
        : eq(homeworkMessage.authorId, studentId)
    const marked = await tx
      .update(homeworkMessage)
      .set({ readAt: new Date() })
      .where(
        and(
          eq(homeworkMessage.taskId, taskRow.id),
          eq(homeworkMessage.studentId, studentId),
          isNull(homeworkMessage.readAt),
          fromOtherSide,
        ),
      )
      .returning({ id: homeworkMessage.id })
    if (marked.length > 0)
      await publish(`homework:${studentId}`, { taskId: taskRow.id, event: 'read' } satisfies HomeworkEvent)
  })
}

/** The latest MAX_MESSAGES messages of a thread that the actor is allowed to read. */
export async function loadSubmissionMessages(
  tx: Tx,
  actor: Actor,
  taskId: string,
  studentId: string,
): Promise<HomeworkMessageView[]> {
  const rows = await tx
    .select({
      id: homeworkMessage.id,
      body: homeworkMessage.body,
      at: homeworkMessage.at,
      readAt: homeworkMessage.readAt,
      authorId: homeworkMessage.authorId,
      author: personName(user),
    })
    .from(homeworkMessage)
    .innerJoin(membership, eq(membership.id, homeworkMessage.authorId))
    .innerJoin(user, eq(user.id, membership.userId))
    .where(and(eq(homeworkMessage.taskId, taskId), eq(homeworkMessage.studentId, studentId)))
    .orderBy(desc(homeworkMessage.at), desc(homeworkMessage.id))
    .limit(MAX_MESSAGES)
  return rows.reverse().map(({ authorId, ...row }) => ({
    ...row,
    isMine: authorId === actor.membershipId,
    isFromStudent: authorId === studentId,
  }))
}

interface Thread {
  taskRow: TaskRow
  studentId: string
  /** The student may write; reviewers always may. */
  hasCuratorSupport: boolean
}

/** The task and the student of a thread that the actor takes part in. */
async function requireThread(tx: Tx, actor: Actor, input: ThreadRef): Promise<Thread> {
  const { taskId, studentId = actor.membershipId } = input
  const isStudent = hasRole(actor, ['STUDENT'])
  if (!isStudent) requireQueueAccess(actor)
  const taskRow = await requirePublishedTask(tx, taskId)
  if (isStudent) {
    if (!canSeeSubmission(actor, { isOwn: studentId === actor.membershipId, isAssigned: false }).allow)
      throw new Refusal('not_found')
    // Refuses without an access grant; messages about a locked lesson are allowed.
    const { hasCuratorSupport } = await getLessonTerms(tx, { studentId, lessonId: taskRow.lessonId })
    return { taskRow, studentId, hasCuratorSupport }
  }
  if (!isWithin(await loadScope(tx, actor), taskRow.courseId)) throw new Refusal('not_found')
  const [student] = await tx
    .select({ id: membership.id })
    .from(membership)
    .where(and(eq(membership.id, studentId), eq(membership.accountType, 'ACCOUNT_TYPE_STUDENT')))
  if (!student) throw new Refusal('not_found')
  return { taskRow, studentId, hasCuratorSupport: true }
}
