import { sql } from 'drizzle-orm'
import { afterCommit, inSystem, inTenant } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { addField } from '#lib/student/fields/fields.ts'
import { AddField } from '#lib/student/fields/schema.ts'
import { saveFieldValues } from '#lib/student/fields/values.ts'
import { saveView } from '#lib/student/list/views.ts'
import { requestEmailCorrection } from '#lib/student/sign-in/correction.ts'
import { addMember, findOrCreateUser, setMembersBlocked } from '#lib/user/member.ts'

/** Students in the states that are missing in the rest of the demo. */
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

/** Completes the list of students: every status, tags, phones, a saved view. */
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
  await fillFields(owner)
  await saveView(owner, { name: 'Давно не заходили', query: 'activity=inactive7&sort=active&desc=0' })
}

/** Name and values of the custom fields by student. */
const VALUES: Record<string, { plan: string; contract: string; birthday: string }> = {
  'halyna.petrenko': { plan: 'Повний', contract: 'Д-2026/14', birthday: '1991-04-17' },
  'bohdan.marchenko': { plan: 'Базовий', contract: 'Д-2026/15', birthday: '' },
  'andrii.kovalenko': { plan: 'Корпоративний', contract: 'К-2026/3', birthday: '1986-11-02' },
  'mykola.danyliuk': { plan: 'Корпоративний', contract: 'К-2026/3', birthday: '' },
}

/** Custom fields with values, an address that waits for confirmation and a requested deletion. */
async function fillFields(owner: Actor): Promise<void> {
  const options = ['Базовий', 'Повний', 'Корпоративний']
  const { fieldId: plan } = await addField(owner, { name: 'Тариф', kind: 'choice', options })
  const { fieldId: contract } = await addField(owner, AddField.parse({ name: 'Номер договору', kind: 'text' }))
  const { fieldId: birthday } = await addField(owner, AddField.parse({ name: 'День народження', kind: 'date' }))
  const students = await inTenant(owner, (tx) =>
    tx.execute<{ id: string; name: string }>(sql`select id, split_part(email, '@', 1) as name from student`),
  )
  const idOf = (name: string) => students.rows.find((student) => student.name === name)?.id
  for (const [name, values] of Object.entries(VALUES)) {
    const studentId = idOf(name)
    if (!studentId) continue
    const typed = { [plan]: values.plan, [contract]: values.contract, [birthday]: values.birthday }
    await saveFieldValues(owner, { studentId, revision: 1, values: typed })
  }
  const mistyped = idOf('svitlana.koval')
  const correction = { studentId: mistyped ?? '', email: 'svitlana.kovalenko@lektoriy.test' }
  // It counts attempts, which is not possible inside a transaction.
  if (mistyped) afterCommit(() => requestEmailCorrection(owner, correction))
  await inSystem((tx) =>
    tx.execute(sql`insert into deletion_request (user_id, due_at)
      select id, now() + interval '21 days' from "user" where email = 'zoriana.kuz@lektoriy.test'`),
  )
}
