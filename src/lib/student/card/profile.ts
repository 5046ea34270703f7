import { and, eq, sql } from 'drizzle-orm'
import { recordAuditEntry } from '#lib/audit/audit.ts'
import { requirePlan } from '#lib/billing/billing.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { updateUser } from '#lib/user/user.ts'
import { requireStudentAdministrator } from '../list/list.ts'
import { studentTag } from '../table.ts'
import { loadStudentCard, requireVerdict, type StudentCard, studentName } from './card.ts'
import { canEditAccount } from './rules.ts'
import type { StudentTag, UpdateProfile } from './schema.ts'

const FIELDS = ['firstName', 'lastName', 'patronymic', 'phone', 'locale', 'timeZone'] as const

/**
 * Changes name, patronymic (unless omitted), telephone, language and time zone of a student. A change that is based on an older revision is refused
 * with conflict and the current profile in `data.current`, unless the profile already has the requested values. Refuses
 * with forbidden (also `shared_account`), plan_inactive, not_found.
 */
export function updateProfile(actor: Actor, input: UpdateProfile): Promise<StudentCard> {
  const { studentId, revision, ...profile } = input
  return inTenant(actor, async (tx) => {
    const current = await lockStudent(tx, actor, studentId)
    requireVerdict(canEditAccount(current))
    const changed = FIELDS.filter((field) => profile[field] !== undefined && current[field] !== profile[field])
    if (changed.length === 0) return current
    if (current.revision !== revision) {
      const { firstName, lastName, patronymic, phone, locale, timeZone } = current
      const stored = { revision: current.revision, firstName, lastName, patronymic, phone, locale, timeZone }
      throw new Refusal('conflict', { data: { current: stored } })
    }
    // A trigger copies the account to the student and increases the revision.
    await updateUser(tx, current.userId, profile)
    const valuesOf = (values: typeof profile) =>
      Object.fromEntries(changed.map((field) => [field, values[field] ?? null]))
    await recordAuditEntry(tx, actor, {
      action: 'student.changed',
      objectId: studentId,
      objectName: studentName(current),
      before: valuesOf(current),
      after: valuesOf(profile),
    })
    return loadStudentCard(tx, studentId)
  })
}

const MAX_TAGS = 30

/** Adds a tag to a student; a second call does nothing. Refuses with forbidden, plan_inactive, not_found, unprocessable (30 tags). */
export function addTag(actor: Actor, input: StudentTag): Promise<void> {
  const { studentId, tag } = input
  return inTenant(actor, async (tx) => {
    const { tags } = await lockStudent(tx, actor, studentId)
    if (tags.includes(tag)) return
    if (tags.length >= MAX_TAGS) throw new Refusal('unprocessable', { fields: { tag: ['too_many_tags'] } })
    await tx.insert(studentTag).values({ tenantId: actor.tenantId, studentId, tag }).onConflictDoNothing()
  })
}

/** Removes a tag from a student; a second call does nothing. Refuses with forbidden, plan_inactive, not_found. */
export function removeTag(actor: Actor, input: StudentTag): Promise<void> {
  const { studentId, tag } = input
  return inTenant(actor, async (tx) => {
    await lockStudent(tx, actor, studentId)
    await tx.delete(studentTag).where(and(eq(studentTag.studentId, studentId), eq(studentTag.tag, tag)))
  })
}

/**
 * Loads the student of a change and locks it until the end of the transaction. Refuses with forbidden, plan_inactive,
 * not_found.
 */
export async function lockStudent(tx: Tx, actor: Actor, studentId: string): Promise<StudentCard> {
  requireStudentAdministrator(actor)
  requirePlan(actor, 'lms')
  await tx.execute(sql`select 1 from student where tenant_id = current_tenant() and id = ${studentId} for update`)
  return loadStudentCard(tx, studentId)
}
