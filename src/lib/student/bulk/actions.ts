import { and, eq, inArray, isNull } from 'drizzle-orm'
import { limitOf } from '#lib/billing/plans.ts'
import { countStudents, setMembersBlocked } from '#lib/user/member.ts'
import { lockStudentCount } from '../student.ts'
import { student, studentTag } from '../table.ts'
import type { BulkBatch, BulkStudent, Outcomes, RowOutcome } from './batch.ts'
import { changeCourseAccess } from './course-actions.ts'
import type { BulkChange } from './schema.ts'

/** Applies an action to a batch and returns the outcome of each student. */
export function applyChange(batch: BulkBatch, change: BulkChange): Promise<Outcomes> {
  const { tx, students } = batch
  const ids = students.map(({ id }) => id)
  switch (change.action) {
    case 'addToCourse':
    case 'addToGroup':
    case 'extend':
    case 'freeze':
      return changeCourseAccess(batch, change)
    case 'tag':
      return addTag(batch, change.tag)
    case 'untag':
      return changedOnes(
        batch,
        tx
          .delete(studentTag)
          .where(and(inArray(studentTag.studentId, ids), eq(studentTag.tag, change.tag)))
          .returning({ id: studentTag.studentId }),
      )
    case 'block':
      return changedOnes(
        batch,
        setMembersBlocked(tx, ids, new Date()).then((changed) => changed.map((id) => ({ id }))),
      )
    case 'unblock':
      return admit(
        batch,
        students.filter(({ blockedAt, deletedAt }) => blockedAt && !deletedAt),
      )
    case 'delete':
      return markDeleted(batch)
    case 'restore':
      return restore(batch)
  }
}

function addTag({ tx, actor, students }: BulkBatch, tag: string): Promise<Outcomes> {
  const rows = students.map(({ id }) => ({ tenantId: actor.tenantId, studentId: id, tag }))
  const added = tx.insert(studentTag).values(rows).onConflictDoNothing().returning({ id: studentTag.studentId })
  return changedOnes({ students }, added)
}

async function changedOnes(
  { students }: Pick<BulkBatch, 'students'>,
  changed: PromiseLike<{ id: string }[]>,
): Promise<Outcomes> {
  const ids = new Set((await changed).map(({ id }) => id))
  return new Map(students.map(({ id }) => [id, ids.has(id) ? DONE : HAS_IT]))
}

const DONE: RowOutcome = { outcome: 'done' }
const HAS_IT: RowOutcome = { outcome: 'unchanged', reason: 'has_it' }

/** Deletion sets the same instant as block time, so that restoring can distinguish students who were blocked before. */
async function markDeleted({ tx, students }: BulkBatch): Promise<Outcomes> {
  const now = new Date()
  const changed = await tx
    .update(student)
    .set({ deletedAt: now })
    .where(
      and(
        inArray(
          student.id,
          students.map(({ id }) => id),
        ),
        isNull(student.deletedAt),
      ),
    )
    .returning({ id: student.id })
  await setMembersBlocked(
    tx,
    changed.map(({ id }) => id),
    now,
  )
  return changedOnes({ students }, Promise.resolve(changed))
}

async function restore(batch: BulkBatch): Promise<Outcomes> {
  const deleted = batch.students.filter(({ deletedAt }) => deletedAt)
  const wereBlocked = deleted.filter(({ blockedAt, deletedAt }) => blockedAt?.getTime() !== deletedAt?.getTime())
  const outcomes = await admit(
    batch,
    deleted.filter((entry) => !wereBlocked.includes(entry)),
  )
  for (const { id } of wereBlocked) outcomes.set(id, DONE)
  const restored = [...outcomes].filter(([, { outcome }]) => outcome === 'done').map(([id]) => id)
  if (restored.length > 0) {
    await batch.tx.update(student).set({ deletedAt: null }).where(inArray(student.id, restored))
  }
  return outcomes
}

/** Unblocks as many students as the plan has seats for; uses the lock of invitations. */
async function admit({ tx, actor, students }: BulkBatch, blocked: readonly BulkStudent[]): Promise<Outcomes> {
  await lockStudentCount(tx, actor)
  const max = limitOf(actor, 'student_count', new Date())
  const free = max === null ? blocked.length : Math.max(0, max - (await countStudents(actor.tenantId)))
  const admitted = blocked.slice(0, free).map(({ id }) => id)
  await setMembersBlocked(tx, admitted, null)
  const refused = new Set(blocked.slice(free).map(({ id }) => id))
  return new Map(
    students.map(({ id }) => [
      id,
      admitted.includes(id) ? DONE : refused.has(id) ? { outcome: 'failed', reason: 'limit_student_count' } : HAS_IT,
    ]),
  )
}
