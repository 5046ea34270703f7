import { sql } from 'drizzle-orm'
import { inSystem, inTenant } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { saveView } from '#lib/student/list/views.ts'
import { addMember, findOrCreateUser, setMembersBlocked } from '#lib/user/member.ts'

/** Students in the states that nobody else of the demo is in. */
const OTHERS = [
  { email: 'yurii.pavlenko@lektoriy.test', firstName: 'Юрій', lastName: 'Павленко', status: 'registered' },
  { email: 'svitlana.koval@lektoriy.test', firstName: 'Світлана', lastName: 'Коваль', status: 'unknown' },
  { email: 'denys.olefir@lektoriy.test', firstName: 'Денис', lastName: 'Олефір', status: 'accepted' },
] as const
const BLOCKED = 'denys.olefir@lektoriy.test'

const TAGS: Record<string, readonly string[]> = {
  'Осінній набір': ['bohdan.marchenko', 'halyna.petrenko', 'kateryna.moroz', 'roman.yatsenko', 'zoriana.kuz'],
  'корпоративний клієнт': ['andrii.kovalenko', 'mykola.danyliuk'],
  'потребує уваги': ['ihor.zabolotnyi', 'roman.yatsenko', 'svitlana.koval'],
}

/** The list of students in full: every status, tags, phones, a saved view. */
export async function fillStudentList(owner: Actor): Promise<void> {
  for (const { status, ...person } of OTHERS) {
    const { userId } = await findOrCreateUser({ ...person, isVerified: status !== 'unknown' })
    const student = { tenantId: owner.tenantId, userId, accountType: 'ACCOUNT_TYPE_STUDENT', status } as const
    const { membershipId } = await addMember(student)
    if (person.email === BLOCKED) await inTenant(owner, (tx) => setMembersBlocked(tx, [membershipId], new Date()))
  }
  await inSystem((tx) =>
    tx.execute(sql`update "user" set phone = '+38 (067) 123-45-67' where email = 'halyna.petrenko@lektoriy.test'`),
  )
  await inTenant(owner, async (tx) => {
    for (const [tag, names] of Object.entries(TAGS)) {
      await tx.execute(sql`insert into student_tag (tenant_id, student_id, tag)
        select tenant_id, id, ${tag} from student
        where split_part(email, '@', 1) = any(${sql.param(names)}::text[])`)
    }
  })
  await saveView(owner, { name: 'Давно не заходили', query: 'activity=inactive7&sort=active&desc=0' })
}
