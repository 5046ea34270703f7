import { eq } from 'drizzle-orm'
import type { AuditActor } from '#lib/audit/audit.ts'
import type { AuditValues } from '#lib/audit/values-schema.ts'
import type { Tx } from '#lib/core/db/db.ts'
import { recordStudentEntries } from '#lib/student/audit.ts'
import type { GrantState } from '../learning/grant-state.ts'
import { studyGroup } from '../learning/table.ts'
import type { AccessPlan } from './change-plan.ts'
import type { CourseRoster } from './course-roster.ts'
import type { AccessAction } from './schema.ts'

interface AuditedChange {
  /** Of the course. */
  title: string
  change: AccessAction
  plan: AccessPlan
  roster: CourseRoster
  /** The students of the target. */
  studentIds: readonly string[]
}

/** Records a change of access for each student for whom something changes. */
export async function auditChange(
  tx: Tx,
  actor: AuditActor,
  { title, change, plan, roster, studentIds }: AuditedChange,
): Promise<void> {
  const studentOf = new Map(roster.rows.flatMap(({ grant }) => (grant ? [[grant.id, grant.studentId] as const] : [])))
  const states = new Map<string, { before?: AuditValues; after?: AuditValues }>()
  for (const { id, before, after } of plan.grants) {
    const studentId = studentOf.get(id)
    if (studentId) states.set(studentId, { before: grantValues(before), after: grantValues(after) })
  }
  for (const { studentId, ...state } of plan.newGrants) states.set(studentId, { after: grantValues(state) })
  const changesLessons = plan.endedOverrideIds.length > 0 || plan.newOverrides.length > 0
  const after = { course: title, ...(await describeAction(tx, change)) }
  await recordStudentEntries(
    tx,
    actor,
    'student.access_changed',
    studentIds
      .filter((studentId) => changesLessons || states.has(studentId))
      .map((studentId) => {
        const state = states.get(studentId)
        return { studentId, before: state?.before, after: { ...after, ...state?.after } }
      }),
  )
}

/** Records that a student was given access, or that a change of access was undone. */
export async function auditAccess(
  tx: Tx,
  actor: AuditActor,
  studentIds: readonly string[],
  after: { course: string; change: 'give' | 'undo' },
): Promise<void> {
  await recordStudentEntries(
    tx,
    actor,
    'student.access_changed',
    [...new Set(studentIds)].map((studentId) => ({ studentId, after })),
  )
}

const grantValues = ({ endsAt, revokedAt, frozen }: GrantState): AuditValues => ({
  until: endsAt?.toISOString() ?? null,
  revoked: revokedAt !== null,
  paused: frozen.length,
})

// Lists of lessons and modules are recorded by their number.
async function describeAction(tx: Tx, change: AccessAction): Promise<AuditValues> {
  return {
    change: change.action,
    ...('lessonIds' in change && change.lessonIds ? { lessons: change.lessonIds.length } : {}),
    ...('moduleIds' in change && change.moduleIds ? { modules: change.moduleIds.length } : {}),
    ...('days' in change ? { days: change.days } : {}),
    ...('from' in change && change.from ? { from: change.from } : {}),
    ...('to' in change && change.to ? { to: change.to } : {}),
    ...('until' in change && change.until ? { until: change.until } : {}),
    ...('groupId' in change ? { group: await groupNameOf(tx, change.groupId) } : {}),
    ...('fromGroupId' in change ? { fromGroup: await groupNameOf(tx, change.fromGroupId) } : {}),
  }
}

async function groupNameOf(tx: Tx, groupId: string): Promise<string> {
  const [group] = await tx.select({ name: studyGroup.name }).from(studyGroup).where(eq(studyGroup.id, groupId))
  return group?.name ?? ''
}
