import { sql } from 'drizzle-orm'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { BulkBatch, BulkReason, ChangeCourseAccess, Outcomes, RowOutcome } from './batch.ts'
import type { BulkChange } from './schema.ts'

type CourseChange = Extract<BulkChange, { action: 'addToCourse' | 'addToGroup' | 'extend' | 'freeze' }>

/**
 * Grants, extends or freezes the access of a batch. Students who already have it are not changed; access of students
 * without it cannot be extended or frozen.
 */
export async function changeCourseAccess(batch: BulkBatch, change: CourseChange): Promise<Outcomes> {
  const { tx, actor, students, changeAccess } = batch
  const courseId = 'groupId' in change ? await courseOfGroup(batch, change.groupId) : change.courseId
  if (!courseId) return new Map(students.map(({ id }) => [id, { outcome: 'failed', reason: 'refused' }]))
  const inGroup = 'groupId' in change ? sql`and source_type = 'group' and source_id = ${change.groupId}` : sql``
  const { rows } = await tx.execute<{ student_id: string }>(sql`
    select distinct student_id from enrolled_grants()
    where course_id = ${courseId} ${inGroup}
      and student_id = any(${sql.param(students.map(({ id }) => id))}::uuid[])`)
  const withAccess = new Set(rows.map(({ student_id }) => student_id))
  const adds = change.action === 'addToCourse' || change.action === 'addToGroup'
  const [targets, others] = [
    students.filter(({ id }) => withAccess.has(id) !== adds),
    students.filter(({ id }) => withAccess.has(id) === adds),
  ]
  const otherwise: RowOutcome = adds
    ? { outcome: 'unchanged', reason: 'has_it' }
    : { outcome: 'failed', reason: 'no_access' }
  const outcomes: Outcomes = new Map(others.map(({ id }) => [id, otherwise]))
  const studentIds = targets.map(({ id }) => id)
  if (studentIds.length === 0) return outcomes
  const apply = (ids: string[]) =>
    changeAccess(actor, { courseId, target: { studentIds: ids }, change: accessChange(change), note: '' }).then(
      () => null,
      toRefusal,
    )
  const refusal = await apply(studentIds)
  // As many students as the group has seats for; the others are refused.
  const free = refusal ? freeSeatsOf(refusal) : studentIds.length
  const admitted = studentIds.slice(0, free)
  const remaining = refusal && admitted.length > 0 ? await apply(admitted) : refusal
  for (const id of studentIds) {
    const reason = admitted.includes(id) ? remaining : refusal
    outcomes.set(id, reason ? { outcome: 'failed', reason: bulkReason(reason) } : { outcome: 'done' })
  }
  return outcomes
}

function accessChange(change: CourseChange): Parameters<ChangeCourseAccess>[1]['change'] {
  switch (change.action) {
    case 'addToCourse':
      return { action: 'give', until: change.until, moduleIds: null }
    case 'addToGroup':
      return { action: 'addToGroup', groupId: change.groupId }
    case 'extend':
      return { action: 'extend', until: change.until }
    case 'freeze':
      return { action: 'freeze', from: null, to: change.until }
  }
}

/** Refusals occur before the first write; any other error ends the transaction of the batch. */
function toRefusal(error: unknown): Refusal {
  if (!(error instanceof Refusal)) throw error
  return error
}

const KNOWN_REASONS = ['course_archived', 'group_full', 'group_finished'] as const

function bulkReason({ details }: Refusal): BulkReason {
  return KNOWN_REASONS.find((reason) => details.fields?.form?.includes(reason)) ?? 'refused'
}

function freeSeatsOf({ details }: Refusal): number {
  return details.fields?.form?.includes('group_full') ? Number(details.data?.free ?? 0) : 0
}

async function courseOfGroup({ tx }: BulkBatch, groupId: string): Promise<string | null> {
  const { rows } = await tx.execute<{ course_id: string }>(
    sql`select course_id from study_group where tenant_id = current_tenant() and id = ${groupId} and archived_at is null`,
  )
  return rows[0]?.course_id ?? null
}
