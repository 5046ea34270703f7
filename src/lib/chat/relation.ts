import { type SQL, sql } from 'drizzle-orm'
import { requirePlan } from '#lib/billing/billing.ts'
import type { Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { type AccountType, effectiveRoles, hasRole, type Role } from '#lib/core/shared/role.ts'
import type { Verdict } from '#lib/core/shared/verdict.ts'
import { type ChatActor, openGrants } from './access.ts'
import { canWriteTo, type Relation } from './rules.ts'
import type { ContactPolicy } from './schema.ts'

/** Refuses with forbidden and the reason unless the verdict allows. */
export function requireChatVerdict(verdict: Verdict): void {
  if (!verdict.allow) throw new Refusal('forbidden', { data: { reason: verdict.reason } })
}

/** Refuses with plan_inactive when staff write while the plan of the school has expired. */
export function requireChatPlan(actor: Actor): void {
  if (!hasRole(actor, ['STUDENT'])) requirePlan(actor, 'lms')
}

/** SQL of the relation between the actor and the member whose id is `member`. */
export function relationColumns(actor: ChatActor, member: SQL): SQL {
  const me = actor.membershipId
  const key = sql`(case when ${member} < ${me}::uuid then ${member}::text || ':' || ${me} else ${me} || ':' || ${member}::text end)`
  return sql`
    exists (select 1 from ${openGrants} a join course_staff s on s.tenant_id = current_tenant() and s.course_id = a.course_id
      where (a.student_id = ${me} and s.member_id = ${member})
        or (a.student_id = ${member} and s.member_id = ${me})) as "isAssigned",
    exists (select 1 from ${openGrants} a join ${openGrants} b on b.course_id = a.course_id
      where a.student_id = ${me} and b.student_id = ${member}) as "sharesCourse",
    exists (select 1 from chat_conversation k join chat_message w on w.tenant_id = k.tenant_id
      and w.conversation_id = k.id and w.author_id = ${member}
      where k.tenant_id = current_tenant() and k.kind = 'direct' and k.subject_key = ${key}) as "hasWritten"`
}

/** Whom students of the school may write to, as a column. */
export const contactPolicy = sql`coalesce((select contact_policy from chat_setting
  where tenant_id = current_tenant()), 'assigned')`

interface RelationRow extends Record<string, unknown>, Omit<Relation, 'isSelf'> {
  accountType: AccountType
  roles: Role[]
  policy: ContactPolicy
}

/** Refuses with not_found for an unknown or blocked member, and with forbidden when the actor may not write to it. */
export async function requireContact(tx: Tx, actor: ChatActor, memberId: string): Promise<void> {
  const { rows } = await tx.execute<RelationRow>(sql`
    select m.account_type as "accountType", m.roles, ${relationColumns(actor, sql`m.id`)}, ${contactPolicy} as policy
    from membership m where m.tenant_id = current_tenant() and m.id = ${memberId} and m.blocked_at is null`)
  const [row] = rows
  if (!row) throw new Refusal('not_found')
  const target = { roles: effectiveRoles(row.accountType, row.roles) }
  requireChatVerdict(canWriteTo(actor, target, { ...row, isSelf: memberId === actor.membershipId }, row.policy))
}
