import { sql } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { StudentStatus } from '#lib/core/shared/learning.ts'
import type { Locale } from '#lib/core/shared/locale.ts'

/** Why a student was left as it was, or was refused: keys of `student:reason`. */
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

/** What an action is run with: one batch of students inside one transaction. */
export interface BulkBatch {
  tx: Tx
  actor: Actor
  jobId: string
  students: readonly BulkStudent[]
  /** Of the course module, which stands above. */
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
      | { act: 'give'; until: string | null; moduleIds: null }
      | { act: 'addToGroup'; groupId: string }
      | { act: 'extend'; until: string | null }
      | { act: 'freeze'; from: null; to: string | null }
    note: string
  },
) => Promise<unknown>

/** The students of a batch as the actions need them, locked against changes by others. */
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
