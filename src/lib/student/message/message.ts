import { type SQL, sql } from 'drizzle-orm'
import { requirePlan } from '#lib/billing/billing.ts'
import { inTenant } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { createMessage } from '#lib/outbox/create.ts'
import { targetSql } from '../bulk/target-sql.ts'
import { requireStudentAdministrator } from '../list/list.ts'
import type { CreateStudentMessage } from './schema.ts'

/**
 * Creates an email or an invitation to many students as a draft of the outbox; `sendMessage` sends it. Refuses with
 * forbidden, plan_inactive, not_found (a named student), unprocessable (nobody is selected).
 */
export function createStudentMessage(actor: Actor, input: CreateStudentMessage): Promise<{ messageId: string }> {
  requireStudentAdministrator(actor)
  requirePlan(actor, 'lms')
  const { messageId, target, action, text, ...rest } = input
  const { from, where } = 'importId' in target ? importedStudents(actor, target.importId) : targetSql(target)
  return inTenant(actor, async (tx) => {
    if ('studentIds' in target) {
      const { rows } = await tx.execute<{ students: number }>(
        sql`select count(*)::int as students from ${from} where ${where}`,
      )
      if ((rows[0]?.students ?? 0) < new Set(target.studentIds).size) throw new Refusal('not_found')
    }
    const recipients = sql`select s.id, s.email, s.name, p.locale from (select s.* from ${from} where ${where}) s
      join "user" p on p.id = s.user_id`
    const message = {
      id: messageId,
      kind: action === 'invite' ? ('invitations' as const) : ('students' as const),
      subject: 'subject' in rest ? rest.subject : '',
      text,
    }
    await createMessage(tx, actor, message, recipients)
    return { messageId: message.id }
  })
}

/** The students of an import of the actor, including those who were in the school before. */
function importedStudents({ membershipId }: Actor, importId: string): { from: SQL; where: SQL } {
  return {
    from: sql`student s`,
    where: sql`s.tenant_id = current_tenant() and s.anonymized_at is null and s.id in (
      select r.student_id from student_import_row r
      join student_import i on i.tenant_id = r.tenant_id and i.id = r.import_id and i.by = ${membershipId}
      where r.tenant_id = current_tenant() and r.import_id = ${importId})`,
  }
}
