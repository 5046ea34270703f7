import { and, desc, eq, isNull, ne, sql } from 'drizzle-orm'
import { requirePlan } from '#lib/billing/billing.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { enqueueJob } from '#lib/core/jobs/jobs.ts'
import { publish } from '#lib/core/live/live.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { hasRole } from '#lib/core/shared/role.ts'
import { weighLesson } from '#lib/course/learning/lesson-weight.ts'
import { membership, user } from '#lib/user/table.ts'
import { isWithin, mustSeeQueue, scopeOf } from '../review/scope.ts'
import { canSee } from '../rules.ts'
import { homeworkMessage } from '../table.ts'
import { mustBeGiven, type TaskRow } from './attempt.ts'
import { SendMessage, Talk } from './schema.ts'

export interface MessageView {
  id: string
  body: string
  at: Date
  /** Who wrote it, by name; `mine`: the reader did. */
  author: string
  mine: boolean
  /** A student's word, or the school's. */
  fromStudent: boolean
  readAt: Date | null
}

const MOST_SHOWN = 200
/** Letters about messages wait so long, so that several become one. */
const CALM_MINUTES = 5

/** The talk of a student and the reviewers about a task, oldest first. Refuses with forbidden, not_found. */
export async function listMessages(actor: Actor, input: Talk): Promise<MessageView[]> {
  return inTenant(actor, async (tx) => {
    const { about, studentId } = await mustTalk(tx, actor, input)
    return messagesOf(tx, actor, about.id, studentId)
  })
}

/**
 * Says something in the talk about a task; it is no attempt and changes none. Whoever is meant gets a letter, but one for
 * all that was said in some minutes. The same `key` again is the same message. Refuses with forbidden, plan_inactive,
 * not_found.
 */
export async function sendMessage(actor: Actor, input: SendMessage): Promise<MessageView> {
  const { body, key, ...talk } = SendMessage.parse(input)
  if (!hasRole(actor, ['STUDENT'])) requirePlan(actor, 'lms')
  return inTenant(actor, async (tx) => {
    const { about, studentId } = await mustTalk(tx, actor, talk)
    const { tenantId, membershipId: authorId } = actor
    const id = key ?? newId()
    await tx
      .insert(homeworkMessage)
      .values({ tenantId, id, taskId: about.id, studentId, authorId, body })
      .onConflictDoNothing()
    const said = (await messagesOf(tx, actor, about.id, studentId)).find((one) => one.id === id)
    if (!said) throw new Refusal('conflict')
    const toStudent = studentId !== authorId
    const startAfter = new Date(Date.now() + CALM_MINUTES * 60_000)
    const singletonKey = `${about.id} ${studentId} ${toStudent}`
    await enqueueJob(
      'homework.tellMessages',
      { tenantId, taskId: about.id, studentId, toStudent },
      { startAfter, singletonKey },
    )
    await publish(`homework:${studentId}`, { taskId: about.id, event: 'message' } satisfies HomeworkEvent)
    return said
  })
}

/** What a student's pages are told of their homework. */
export interface HomeworkEvent {
  taskId: string
  event: 'message' | 'read'
}

/** Notes that the reader has seen what the other side wrote. A second call changes nothing. Refuses as listMessages. */
export async function readMessages(actor: Actor, input: Talk): Promise<void> {
  return inTenant(actor, async (tx) => {
    const { about, studentId } = await mustTalk(tx, actor, input)
    const others =
      studentId === actor.membershipId
        ? ne(homeworkMessage.authorId, studentId)
        : eq(homeworkMessage.authorId, studentId)
    const read = await tx
      .update(homeworkMessage)
      .set({ readAt: new Date() })
      .where(
        and(
          eq(homeworkMessage.taskId, about.id),
          eq(homeworkMessage.studentId, studentId),
          isNull(homeworkMessage.readAt),
          others,
        ),
      )
      .returning({ id: homeworkMessage.id })
    if (read.length > 0)
      await publish(`homework:${studentId}`, { taskId: about.id, event: 'read' } satisfies HomeworkEvent)
  })
}

/** The messages of a talk that the actor may read, the latest MOST_SHOWN. */
export async function messagesOf(tx: Tx, actor: Actor, taskId: string, studentId: string): Promise<MessageView[]> {
  const rows = await tx
    .select({
      id: homeworkMessage.id,
      body: homeworkMessage.body,
      at: homeworkMessage.at,
      readAt: homeworkMessage.readAt,
      authorId: homeworkMessage.authorId,
      author: sql<string>`coalesce(nullif(trim(${user.firstName} || ' ' || ${user.lastName}), ''), ${user.email})`,
    })
    .from(homeworkMessage)
    .innerJoin(membership, eq(membership.id, homeworkMessage.authorId))
    .innerJoin(user, eq(user.id, membership.userId))
    .where(and(eq(homeworkMessage.taskId, taskId), eq(homeworkMessage.studentId, studentId)))
    .orderBy(desc(homeworkMessage.at), desc(homeworkMessage.id))
    .limit(MOST_SHOWN)
  return rows.reverse().map(({ authorId, ...row }) => ({
    ...row,
    mine: authorId === actor.membershipId,
    fromStudent: authorId === studentId,
  }))
}

/** The task and the student of a talk that the actor takes part in. */
async function mustTalk(tx: Tx, actor: Actor, input: Talk): Promise<{ about: TaskRow; studentId: string }> {
  const { taskId, studentId = actor.membershipId } = Talk.parse(input)
  const own = hasRole(actor, ['STUDENT'])
  if (!own) mustSeeQueue(actor)
  const about = await mustBeGiven(tx, taskId)
  if (own) {
    if (!canSee(actor, { own: studentId === actor.membershipId, assigned: false }).allow) throw new Refusal('not_found')
    // Without a grant there is no such lesson; a locked one may still be asked about.
    await weighLesson(tx, { studentId, lessonId: about.lessonId })
    return { about, studentId }
  }
  if (!isWithin(await scopeOf(tx, actor), about.courseId)) throw new Refusal('not_found')
  const [student] = await tx
    .select({ id: membership.id })
    .from(membership)
    .where(and(eq(membership.id, studentId), eq(membership.accountType, 'ACCOUNT_TYPE_STUDENT')))
  if (!student) throw new Refusal('not_found')
  return { about, studentId }
}
