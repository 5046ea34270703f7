import { eq } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { membership, user } from '#lib/user/table.ts'
import { isAssigned, requireAllowed } from '../permission.ts'
import { canManageStudents } from '../rules.ts'
import { accessOfGrant, grantEndsAt } from './access.ts'
import type { Access } from './access-reason.ts'
import { type Enrolment, type EnrolmentGrant, loadEnrolment, outlineAccessOf } from './enrolment.ts'
import { ExplainAccess, StudentInCourse } from './schema.ts'

/** A reason for access as people read it. */
export interface GrantView {
  id: string
  sourceType: EnrolmentGrant['sourceType']
  /** Of the group that gives it. */
  name: string | null
  startsAt: Date
  /** With what freezes added. */
  endsAt: Date | null
  /** What the grant says of the moment by itself. */
  access: Access
  /** Whether it holds the lesson's module; true where no lesson is asked about. */
  covers: boolean
}

/** Something said by hand, by whom and when. */
export interface OverrideView {
  id: string
  effect: 'open' | 'close' | 'shiftDays'
  days: number
  note: string
  by: string
  at: Date
  scope: 'student' | 'group' | 'course'
}

export interface AccessExplanation {
  student: NamedPerson
  lesson: { id: string; title: string }
  at: Date
  /** The school's. */
  zone: string
  access: Access
  grants: GrantView[]
  override: OverrideView | null
}

interface NamedPerson {
  id: string
  name: string
}

/**
 * Why a lesson is open or closed to a student, by the function that enforces it. Refuses with forbidden; not_found for a
 * student or a lesson of elsewhere.
 */
export async function explainAccess(actor: Actor, input: ExplainAccess): Promise<AccessExplanation> {
  const { courseId, studentId, lessonId, at } = ExplainAccess.parse(input)
  const now = at ? new Date(at) : new Date()
  return inTenant(actor, async (tx) => {
    requireAllowed(canManageStudents(actor, await isAssigned(tx, actor, courseId)))
    const student = await findPerson(tx, studentId)
    const enrolment = await loadEnrolment(tx, { studentId, courseId, ...(at ? { asOf: now } : {}) })
    const index = enrolment.lessons.findIndex(({ id }) => id === lessonId)
    const lesson = enrolment.lessons[index]
    const access = outlineAccessOf(enrolment, now)[index]
    if (!lesson || !access) throw new Refusal('not_found')
    return {
      student,
      lesson: { id: lesson.id, title: lesson.title },
      at: now,
      zone: enrolment.zone,
      access,
      grants: enrolment.grants.map((grant) => grantViewOf(grant, lesson.moduleId, now)),
      override: await findOverrideView(tx, enrolment, access.overrideId),
    }
  })
}

/** Everything that gives a student access to a course, revoked grants too. Refuses as getWhy. */
export async function listGrants(actor: Actor, input: StudentInCourse) {
  const { courseId, studentId } = StudentInCourse.parse(input)
  return inTenant(actor, async (tx) => {
    requireAllowed(canManageStudents(actor, await isAssigned(tx, actor, courseId)))
    const student = await findPerson(tx, studentId)
    const enrolment = await loadEnrolment(tx, { studentId, courseId })
    const now = new Date()
    const results = outlineAccessOf(enrolment, now)
    return {
      student,
      zone: enrolment.zone,
      grants: enrolment.grants.map((grant) => grantViewOf(grant, null, now)),
      lessons: enrolment.lessons.map(({ id, title, moduleTitle, completedAt, openedAt }, index) => ({
        id,
        title,
        moduleTitle,
        completedAt,
        openedAt,
        access: results[index] ?? { allow: false, because: 'no_grant' as const },
      })),
    }
  })
}

function grantViewOf(grant: EnrolmentGrant, moduleId: string | null, now: Date): GrantView {
  return {
    id: grant.id,
    sourceType: grant.sourceType,
    name: grant.group?.name ?? null,
    startsAt: grant.startsAt,
    endsAt: grantEndsAt(grant),
    access: accessOfGrant(grant, now),
    covers: moduleId === null || grant.moduleIds === null || grant.moduleIds.includes(moduleId),
  }
}

async function findOverrideView(
  tx: Tx,
  { overrides }: Enrolment,
  id: string | undefined,
): Promise<OverrideView | null> {
  const override = overrides.find((item) => item.id === id)
  if (!override) return null
  const { effect, days, note, at, studentId, groupId } = override
  const scope = studentId ? 'student' : groupId ? 'group' : 'course'
  return { id: override.id, effect, days, note, at, scope, by: (await findPerson(tx, override.by)).name }
}

async function findPerson(tx: Tx, id: string): Promise<NamedPerson> {
  const [row] = await tx
    .select({ firstName: user.firstName, lastName: user.lastName, email: user.email })
    .from(membership)
    .innerJoin(user, eq(user.id, membership.userId))
    .where(eq(membership.id, id))
  if (!row) throw new Refusal('not_found')
  return { id, name: `${row.firstName} ${row.lastName}`.trim() || row.email }
}
