import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { isReadable, requireConversation } from '#lib/chat/access.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { assignCurator, giveAccess } from '../../../setup/chat/conversations.ts'
import { publishedCourse } from '../../../setup/course/groups.ts'
import { createTestTenant } from '../../../setup/tenants.ts'

interface Subject {
  kind: 'course' | 'lesson' | 'support' | 'direct' | 'team'
  courseId: string | null
  lessonId: string | null
}

const MEMBERSHIPS = ['none', 'reader', 'participant', 'left'] as const

/** Adds conversations with every membership of the actor, and with bans of a student. Returns their ids. */
async function addConversations(tx: Tx, actor: Actor, subjects: readonly Subject[]): Promise<string[]> {
  const bans = actor.roles.includes('STUDENT') ? [false, true] : [false]
  const cases = subjects.flatMap((subject) =>
    MEMBERSHIPS.flatMap((membership) => bans.map((isBanned) => ({ ...subject, id: newId(), membership, isBanned }))),
  )
  const me = actor.membershipId
  for (const { id, kind, courseId, lessonId, membership, isBanned } of cases) {
    await tx.execute(sql`
      insert into chat_conversation (tenant_id, id, kind, subject_key, course_id, lesson_id, created_by)
      values (current_tenant(), ${id}, ${kind}, ${id}, ${courseId}, ${lessonId}, ${me})`)
    if (membership !== 'none')
      await tx.execute(sql`insert into chat_member (tenant_id, conversation_id, member_id, is_participant, left_at)
        values (current_tenant(), ${id}, ${me}, ${membership !== 'reader'},
          case when ${membership === 'left'} then now() end)`)
    if (isBanned)
      await tx.execute(sql`insert into chat_ban (tenant_id, conversation_id, member_id, banned_by)
        values (current_tenant(), ${id}, ${me}, ${me})`)
  }
  return cases.map(({ id }) => id)
}

test('the conversations that lists contain are those that may be opened', async () => {
  const { OWNER, EXPERT, CURATOR, STUDENT, MENTOR } = (await createTestTenant()).as
  const courses = [await publishedCourse(OWNER), await publishedCourse(OWNER)]
  const ownCourseId = courses[0]?.courseId ?? ''
  await giveAccess(STUDENT, ownCourseId)
  await assignCurator(CURATOR, ownCourseId)
  const withoutCourse = { courseId: null, lessonId: null }
  const subjects: Subject[] = [
    ...courses.flatMap(({ courseId, lessonIds }): Subject[] => [
      { kind: 'course', courseId, lessonId: null },
      { kind: 'lesson', courseId, lessonId: lessonIds[0] ?? null },
    ]),
    { kind: 'support', ...withoutCourse },
    { kind: 'direct', ...withoutCourse },
    { kind: 'team', ...withoutCourse },
  ]
  for (const actor of [OWNER, EXPERT, CURATOR, STUDENT, MENTOR]) {
    await inTenant(actor, async (tx) => {
      const ids = await addConversations(tx, actor, subjects)
      const { rows } = await tx.execute<{ id: string }>(sql`select c.id from chat_conversation c
        where c.tenant_id = current_tenant() and c.id = any(${sql.param(ids)}::uuid[]) and ${isReadable(actor)}`)
      const opened: string[] = []
      for (const id of ids) {
        if (await requireConversation(tx, actor, id).catch(() => null)) opened.push(id)
      }
      expect(rows.map(({ id }) => id).sort()).toEqual(opened.sort())
      expect(opened.length).toBeGreaterThan(0)
      expect(opened.length).toBeLessThan(ids.length)
    })
  }
})
