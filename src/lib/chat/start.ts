import { sql } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { openGrants } from './access.ts'
import { requireTeamMembers } from './participants.ts'
import { requireChatPlan, requireChatVerdict, requireContact } from './relation.ts'
import { canStartConversation } from './rules.ts'
import type { ConversationKind, StartConversation } from './schema.ts'
import { chatConversation, chatMember } from './table.ts'

/** A conversation to create, and its participants; empty where grants and staff determine them. */
interface NewConversation {
  subjectKey: string
  courseId?: string
  groupId?: string
  lessonId?: string
  title?: string
  postPolicy?: 'all' | 'staff'
  participants: string[]
}

/**
 * Opens the conversation about a subject, and creates it when there is none; a repetition returns the same one. Refuses
 * with forbidden, plan_inactive, not_found for the subject, and with unprocessable for members who are not on the team.
 */
export async function startConversation(actor: Actor, input: StartConversation): Promise<{ conversationId: string }> {
  requireChatPlan(actor)
  return inTenant(actor, async (tx) => {
    const { participants, ...created } = await describeConversation(tx, actor, input)
    const id = input.kind === 'team' ? input.conversationId : newId()
    const { kind } = input
    await tx
      .insert(chatConversation)
      .values({ tenantId: actor.tenantId, id, kind, createdBy: actor.membershipId, ...created })
      .onConflictDoNothing()
    const { rows } = await tx.execute<{ id: string }>(sql`select id from chat_conversation
      where tenant_id = current_tenant() and kind = ${kind} and subject_key = ${created.subjectKey}`)
    const conversationId = rows[0]?.id
    if (!conversationId) throw new Refusal('conflict')
    if (participants.length > 0)
      await tx
        .insert(chatMember)
        .values(
          participants.map((memberId) => {
            return { tenantId: actor.tenantId, conversationId, memberId, isParticipant: true }
          }),
        )
        .onConflictDoNothing()
    return { conversationId }
  })
}

function describeConversation(tx: Tx, actor: Actor, input: StartConversation): Promise<NewConversation> {
  switch (input.kind) {
    case 'direct':
      return describeDirect(tx, actor, input.memberId)
    case 'course':
      return describeCourse(tx, actor, input)
    case 'group':
      return describeGroup(tx, actor, input)
    case 'lesson':
      return describeLesson(tx, actor, input.lessonId)
    case 'team':
      return describeTeam(tx, actor, input)
    case 'support': {
      requireChatVerdict(canStartConversation(actor, { kind: 'support', isAssigned: false, hasAccess: false }))
      const { membershipId } = actor
      return Promise.resolve({ subjectKey: membershipId, participants: [membershipId] })
    }
  }
}

async function describeDirect(tx: Tx, actor: Actor, memberId: string): Promise<NewConversation> {
  await requireContact(tx, actor, memberId)
  const participants = [actor.membershipId, memberId]
  return { subjectKey: participants.toSorted().join(':'), participants }
}

async function describeCourse(
  tx: Tx,
  actor: Actor,
  { courseId, postPolicy }: Extract<StartConversation, { kind: 'course' }>,
): Promise<NewConversation> {
  await requireSubject(
    tx,
    actor,
    'course',
    sql`select course.id as course_id from course where course.id = ${courseId}
    and course.tenant_id = current_tenant() and course.archived_at is null`,
  )
  return { subjectKey: courseId, courseId, postPolicy, participants: [] }
}

async function describeGroup(
  tx: Tx,
  actor: Actor,
  { groupId, postPolicy }: Extract<StartConversation, { kind: 'group' }>,
): Promise<NewConversation> {
  const courseId = await requireSubject(
    tx,
    actor,
    'group',
    sql`select course_id from study_group
    where id = ${groupId} and tenant_id = current_tenant() and archived_at is null`,
  )
  return { subjectKey: groupId, courseId, groupId, postPolicy, participants: [] }
}

async function describeLesson(tx: Tx, actor: Actor, lessonId: string): Promise<NewConversation> {
  const courseId = await requireSubject(
    tx,
    actor,
    'lesson',
    sql`select l.course_id from lesson l
    join course_module m on m.tenant_id = l.tenant_id and m.id = l.module_id
    where l.id = ${lessonId} and l.tenant_id = current_tenant() and l.published_version is not null
      and l.deleted_at is null and m.deleted_at is null`,
  )
  const { membershipId } = actor
  return { subjectKey: `${lessonId}:${membershipId}`, courseId, lessonId, participants: [membershipId] }
}

/** The course of a subject that the actor may begin a conversation about. `found` selects its `course_id`. */
async function requireSubject(
  tx: Tx,
  actor: Actor,
  kind: ConversationKind,
  found: ReturnType<typeof sql>,
): Promise<string> {
  const me = actor.membershipId
  const { rows } = await tx.execute<{ courseId: string; isAssigned: boolean; hasAccess: boolean }>(sql`
    select f.course_id as "courseId",
      exists (select 1 from course_staff s where s.tenant_id = current_tenant() and s.course_id = f.course_id
        and s.member_id = ${me}) as "isAssigned",
      exists (select 1 from ${openGrants} a where a.course_id = f.course_id
        and a.student_id = ${me}) as "hasAccess"
    from (${found}) f`)
  const [row] = rows
  if (!row) throw new Refusal('not_found')
  const verdict = canStartConversation(actor, { kind, ...row })
  // A student without access learns nothing about the lesson.
  if (!verdict.allow && kind === 'lesson') throw new Refusal('not_found')
  requireChatVerdict(verdict)
  return row.courseId
}

async function describeTeam(
  tx: Tx,
  actor: Actor,
  { title, memberIds, conversationId }: Extract<StartConversation, { kind: 'team' }>,
): Promise<NewConversation> {
  requireChatVerdict(canStartConversation(actor, { kind: 'team', isAssigned: false, hasAccess: false }))
  const others = [...new Set(memberIds)].filter((id) => id !== actor.membershipId)
  await requireTeamMembers(tx, others)
  return { subjectKey: conversationId, title, participants: [actor.membershipId, ...others] }
}
