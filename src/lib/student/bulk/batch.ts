import { sql } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { StudentStatus } from '#lib/core/shared/learning.ts'
import type { Locale } from '#lib/core/shared/locale.ts'

/** Reasons why a student was not changed or was refused: keys of `student:reason`. */
export type BulkReason =
  | 'has_it'
  | 'no_access'
  | 'limit_student_count'
  | 'course_archived'
  | 'group_full'
  | 'group_finished'
  | 'refused'

export interface RowOutcome {
  outcome: 'done' | 'unchanged' | 'failed'
  reason?: BulkReason
}

export interface BulkStudent {
  id: string
  email: string
  status: StudentStatus
  blockedAt: Date | null
  deletedAt: Date | null
  locale: Locale
}

/** The context of an action: one batch of students in one transaction. */
export interface BulkBatch {
  tx: Tx
  actor: Actor
  jobId: string
  students: readonly BulkStudent[]
  /** Function of the course module, which is above this one. */
  changeAccess: ChangeCourseAccess
}

export type Outcomes = Map<string, RowOutcome>

/** `changeAccess` of the course module: changes the access of students to a course, by the rules of that module. */
export type ChangeCourseAccess = (
  actor: Actor,
  input: {
    courseId: string
    target: { studentIds: string[] }
    change:
      | { action: 'give'; until: string | null; moduleIds: null }
      | { action: 'addToGroup'; groupId: string }
      | { action: 'extend'; until: string | null }
      | { action: 'freeze'; from: null; to: string | null }
    note: string
  },
) => Promise<unknown>

/** The students of a batch with the fields that the actions need, locked against concurrent changes. */
export async function loadBatch(tx: Tx, ids: readonly string[]): Promise<BulkStudent[]> {
  const { rows } = await tx.execute<Record<string, unknown>>(sql`
    select s.id, s.email, s.status, s.blocked_at as "blockedAt", s.deleted_at as "deletedAt", u.locale
    from student s join "user" u on u.id = s.user_id
    where s.tenant_id = current_tenant() and s.anonymized_at is null
      and s.id = any(${sql.param(ids)}::uuid[]) order by s.id for update of s`)
  return rows.map((row) => ({
    id: String(row.id),
    email: String(row.email),
    status: row.status as StudentStatus,
    blockedAt: row.blockedAt ? new Date(String(row.blockedAt)) : null,
    deletedAt: row.deletedAt ? new Date(String(row.deletedAt)) : null,
    locale: row.locale === 'en' ? 'en' : 'uk',
  }))
}
