import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { STUDENT_STATUS } from '#lib/core/shared/learning.ts'
import { LOCALES } from '#lib/core/shared/locale.ts'
import { parseStored } from '#lib/core/shared/parse-stored.ts'
import type { Verdict } from '#lib/core/shared/verdict.ts'
import { requireStudentAdministrator } from '../list/list.ts'
import { blockedRisk, inactivityRisk, type Risk } from './rules.ts'
import type { StudentId } from './schema.ts'
import type { CardSection } from './section.ts'

const moment = z.coerce.date().nullable()

/** The header of a student card. */
export const StudentCard = z.object({
  id: z.string(),
  userId: z.string(),
  revision: z.number(),
  email: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  patronymic: z.string().nullable(),
  phone: z.string().nullable(),
  locale: z.enum(LOCALES),
  timeZone: z.string(),
  status: z.enum(STUDENT_STATUS),
  createdAt: z.coerce.date(),
  lastActiveAt: moment,
  blockedAt: moment,
  deletedAt: moment,
  anonymizedAt: moment,
  progress: z.number().nullable(),
  overdueCount: z.number(),
  tags: z.array(z.string()),
  isShared: z.boolean(),
  isStaff: z.boolean(),
  hasSecondFactor: z.boolean(),
  /** A corrected address that waits for confirmation. */
  correction: z.object({ email: z.string(), expiresAt: z.coerce.date() }).nullable(),
  /** The end of the grace period after which the person's data is deleted in all schools, if requested. */
  deletionDueAt: moment,
})
export type StudentCard = z.infer<typeof StudentCard>

/** The header of a student's card, in one statement. Refuses with forbidden, not_found. */
export function getStudentCard(actor: Actor, input: StudentId): Promise<StudentCard> {
  requireStudentAdministrator(actor)
  const { studentId } = input
  return inTenant(actor, (tx) => loadStudentCard(tx, studentId))
}

/** As getStudentCard, in the caller's transaction and without the check. Refuses with not_found. */
export async function loadStudentCard(tx: Tx, studentId: string): Promise<StudentCard> {
  const { rows } = await tx.execute<Record<string, unknown>>(sql`
    select s.id, s.user_id as "userId", s.revision, s.email,
      case when s.anonymized_at is null then u.first_name else '' end as "firstName",
      case when s.anonymized_at is null then u.last_name else '' end as "lastName",
      case when s.anonymized_at is null then u.patronymic end as patronymic,
      s.phone, u.locale, u.time_zone as "timeZone", s.status, s.created_at as "createdAt",
      s.last_active_at as "lastActiveAt", s.blocked_at as "blockedAt", s.deleted_at as "deletedAt",
      s.anonymized_at as "anonymizedAt", s.progress, s.overdue_count as "overdueCount",
      array(select t.tag from student_tag t where t.tenant_id = current_tenant() and t.student_id = s.id
        order by t.tag) as tags,
      scope.is_shared as "isShared", scope.is_staff as "isStaff", u.totp_enabled_at is not null as "hasSecondFactor",
      (select jsonb_build_object('email', c.email, 'expiresAt', c.expires_at) from email_correction c
        where c.tenant_id = current_tenant() and c.student_id = s.id and c.confirmed_at is null
          and c.canceled_at is null and c.expires_at > now() order by c.created_at desc limit 1) as correction,
      (select d.due_at from deletion_request d where d.user_id = s.user_id) as "deletionDueAt"
    from student s join "user" u on u.id = s.user_id, account_scope(s.user_id, s.id) scope
    where s.tenant_id = current_tenant() and s.id = ${studentId}`)
  const [row] = rows
  if (!row) throw new Refusal('not_found')
  return parseStored(StudentCard, row)
}

/** Refuses with not_found unless there is such a student in the transaction's tenant. */
export async function requireStudentRow(tx: Tx, studentId: string): Promise<void> {
  const { rows } = await tx.execute(sql`select 1 from student where tenant_id = current_tenant() and id = ${studentId}`)
  if (rows.length === 0) throw new Refusal('not_found')
}

/** Full name of a student, or the email address while there is none. */
export const studentName = ({ firstName, lastName, email }: Pick<StudentCard, 'firstName' | 'lastName' | 'email'>) =>
  `${firstName} ${lastName}`.trim() || email

const VERDICT_MESSAGES = new Map([
  ['shared_account', 'card_shared_account'],
  ['anonymized', 'card_anonymized'],
  ['deleted', 'card_deleted'],
  ['blocked', 'card_blocked'],
  ['not_accepted', 'card_not_accepted'],
  ['staff_account', 'card_staff_account'],
  ['second_factor', 'card_second_factor'],
])

/** Refuses with the reason of the verdict: with unprocessable for the state of a student, otherwise with forbidden. */
export function requireVerdict({ allow, reason }: Verdict): void {
  if (allow) return
  const message = VERDICT_MESSAGES.get(reason)
  throw new Refusal(message ? 'unprocessable' : 'forbidden', {
    data: { reason },
    fields: { form: [message ?? 'forbidden'] },
  })
}

/**
 * Risks that a student gives up, the most serious first: of the account, and of the modules above. Refuses with
 * forbidden, not_found.
 */
export function listRisks(actor: Actor, input: StudentId, sections: readonly CardSection[]): Promise<Risk[]> {
  requireStudentAdministrator(actor)
  const { studentId } = input
  return inTenant(actor, async (tx) => {
    const [risks] = await Promise.all([findRisks(tx, studentId, sections), requireStudentRow(tx, studentId)])
    return risks
  })
}

/** As listRisks, in the caller's transaction and without the check. */
export async function findRisks(
  tx: Tx,
  studentId: string,
  sections: readonly CardSection[],
  now = new Date(),
): Promise<Risk[]> {
  const facts = tx.execute<Record<string, unknown>>(sql`select status, created_at as "createdAt",
      last_active_at as "lastActiveAt", overdue_count as "overdueCount", blocked_at as "blockedAt"
    from student where tenant_id = current_tenant() and id = ${studentId} and deleted_at is null`)
  const [{ rows }, ...contributed] = await Promise.all([
    facts,
    ...sections.map((section) => section.risks?.(tx, studentId, now) ?? []),
  ])
  const [row] = rows
  if (!row) return []
  const student = parseStored(RiskFacts, row)
  if (student.blockedAt) return [blockedRisk(student.blockedAt, now)]
  const inactive = inactivityRisk(student, now)
  const overdue: Risk[] = student.overdueCount > 0 ? [{ kind: 'overdue', count: student.overdueCount }] : []
  return [...(inactive ? [inactive] : []), ...overdue, ...contributed.flat()]
}

const RiskFacts = StudentCard.pick({
  status: true,
  createdAt: true,
  lastActiveAt: true,
  overdueCount: true,
  blockedAt: true,
})
