import { inTenant } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { addGrant } from '#lib/course/access/grants.ts'
import { courseStaff } from '#lib/course/table.ts'
import { publishedCourse } from '../course/groups.ts'
import type { TestTenant } from '../tenants.ts'
import { sendMessage, startConversation } from './parsed-chat.ts'

/** A published course with the curator of the tenant as staff and its student with access. */
export async function chatCourse(home: TestTenant): Promise<{ courseId: string; lessonId: string }> {
  const { courseId, lessonIds } = await publishedCourse(home.as.OWNER)
  await assignCurator(home.as.CURATOR, courseId)
  await giveAccess(home.as.STUDENT, courseId)
  return { courseId, lessonId: lessonIds[0] ?? '' }
}

export function assignCurator({ tenantId, membershipId }: Actor, courseId: string): Promise<void> {
  return inTenant({ tenantId }, async (tx) => {
    await tx.insert(courseStaff).values({ tenantId, courseId, memberId: membershipId, role: 'curator' })
  })
}

/** Gives a student manual access to a course. */
export async function giveAccess(student: Actor, courseId: string): Promise<void> {
  const source = { type: 'manual', id: null } as const
  await inTenant(student, (tx) => addGrant(tx, student, { courseId, studentId: student.membershipId, source }))
}

/** The id of a conversation that the actor starts. */
export async function start(actor: Actor, input: Parameters<typeof startConversation>[1]): Promise<string> {
  return (await startConversation(actor, input)).conversationId
}

export const startDirect = (actor: Actor, other: Actor): Promise<string> =>
  start(actor, { kind: 'direct', memberId: other.membershipId })

type MoreOfMessage = Partial<Omit<Parameters<typeof sendMessage>[1], 'conversationId' | 'body'>>

/** Sends a message, under a new id unless there is one. */
export const sendText = (actor: Actor, conversationId: string, body: string, more: MoreOfMessage = {}) =>
  sendMessage(actor, { conversationId, messageId: newId(), body, ...more })
