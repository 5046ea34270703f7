import { type SQL, sql } from 'drizzle-orm'
import { eraseAuditEntries } from '#lib/audit/erasure.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { forEachItem } from '#lib/core/jobs/items.ts'
import { forEachTenant } from '#lib/core/jobs/tenants.ts'
import { eraseEmails } from '#lib/core/mail/mail.ts'
import { eraseNotifications } from '#lib/notification/purge.ts'
import { eraseRecipients } from '#lib/outbox/erasure.ts'
import { anonymizeUser, endStudentMembership } from '#lib/user/member.ts'
import type { CardSection } from '../card/section.ts'

/** Days after which a deletion cannot be reversed. */
const RESTORE_DAYS = 30
const DUE = `deleted_at < $1 - interval '${RESTORE_DAYS} days' and anonymized_at is null`
const DRAFTS = `select 1 from student_job where state = 'draft' and created_at < $1 - interval '1 day'
  union all select 1 from student_import where created_at < $1 - interval '30 days'`

/**
 * Removes name, email address, phone and tags of students who were deleted 30 days ago, and drafts of bulk actions that
 * were not confirmed within a day, and imported tables after 30 days. Periodic; returns the number of students.
 */
export function anonymizeDeletedStudents(sections: readonly CardSection[], now = new Date()): Promise<number> {
  const dueSql = `select 1 from student where ${DUE} union all ${DRAFTS}`
  return forEachTenant({ job: 'student.anonymize', dueSql, now }, async (tenantId) => {
    await inTenant({ tenantId }, (tx) =>
      tx.execute(sql`delete from student_job where tenant_id = current_tenant() and state = 'draft'
        and created_at < ${now.toISOString()}::timestamptz - interval '1 day'`),
    )
    await inTenant({ tenantId }, (tx) =>
      tx.execute(sql`delete from student_import where tenant_id = current_tenant()
        and created_at < ${now.toISOString()}::timestamptz - interval '30 days'`),
    )
    const due = sql.raw(DUE.replace('$1', `'${now.toISOString()}'::timestamptz`))
    const { rows } = await inTenant({ tenantId }, (tx) =>
      tx.execute<{ id: string }>(sql`
        select id from student where tenant_id = current_tenant() and ${due} order by deleted_at`),
    )
    const task = { job: 'student.anonymize', tenantId, items: rows, idOf: ({ id }: { id: string }) => id }
    return forEachItem(task, async ({ id }) => Number(await anonymizeIfDue({ tenantId, studentId: id }, sections, due)))
  })
}

function anonymizeIfDue(
  { tenantId, studentId }: { tenantId: string; studentId: string },
  sections: readonly CardSection[],
  due: SQL,
): Promise<boolean> {
  return inTenant({ tenantId }, async (tx) => {
    const { rows } = await tx.execute<{ user_id: string }>(sql`
      select user_id from student where tenant_id = current_tenant() and id = ${studentId} and ${due} for update`)
    const [found] = rows
    if (!found) return false
    await anonymizeStudent(tx, { tenantId, studentId }, sections)
    await anonymizeUser(found.user_id)
    return true
  })
}

/**
 * Removes what identifies a student of the transaction's tenant: name, email address, phone, tags, notes, custom
 * fields, answers of the registration, emails, names in the audit log, and the data of the modules above; ends the
 * membership, the open invitation and login links.
 */
export async function anonymizeStudent(
  tx: Tx,
  { tenantId, studentId }: { tenantId: string; studentId: string },
  sections: readonly CardSection[],
): Promise<void> {
  const { rows } = await tx.execute<{ email: string }>(
    sql`select email from student where tenant_id = current_tenant() and id = ${studentId}`,
  )
  const [before] = rows
  if (!before) return
  for (const section of sections) await section.erase?.(tx, { studentId, email: before.email })
  await eraseRecipients(tx, [studentId])
  await eraseEmails(tx, { tenantId, to: before.email })
  const email = `${studentId}@deleted.invalid`
  await tx.execute(sql`update student set anonymized_at = now(), name = '', formal_name = '', phone = null, email = ${email}
    where tenant_id = current_tenant() and id = ${studentId}`)
  const ofStudent = sql`tenant_id = current_tenant() and student_id = ${studentId}`
  await tx.execute(sql`delete from student_field_value where ${ofStudent}`)
  await tx.execute(sql`delete from student_registration where ${ofStudent}`)
  await tx.execute(sql`delete from student_tag where ${ofStudent}`)
  await tx.execute(sql`delete from student_note where ${ofStudent}`)
  await tx.execute(sql`delete from email_correction where ${ofStudent}`)
  await tx.execute(sql`delete from login_link where ${ofStudent}`)
  await tx.execute(sql`update invitation set email = ${email}, revoked_at = coalesce(revoked_at, now())
    where ${ofStudent}`)
  await tx.execute(sql`update student_import_row set cells = '[]', email = null, first_name = '', last_name = '',
      patronymic = '', phone = null, field_values = '{}', warnings = '[]' where tenant_id = current_tenant() and (student_id = ${studentId} or email = ${before.email})`)
  await eraseNotifications(tx, studentId)
  await eraseAuditEntries(tx, { memberId: studentId, email: before.email })
  await endStudentMembership(tx, studentId)
}
