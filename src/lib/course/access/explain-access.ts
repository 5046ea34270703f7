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
import type { ExplainAccess, StudentInCourse } from './schema.ts'

/** A grant for display. */
export interface GrantView {
  id: string
  sourceType: EnrolmentGrant['sourceType']
  /** Name of the study group. */
  name: string | null
  startsAt: Date
  /** Effective end, including freezes. */
  endsAt: Date | null
  /** Access that this grant alone gives now. */
  access: Access
  /** Curators review homework and answer questions. */
  withReview: boolean
  /** Whether the grant covers the lesson's module; true without a lesson. */
  covers: boolean
}

/** An override with its author and time. */
interface OverrideView {
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
  /** Time zone of the tenant. */
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
 * Explains why a lesson is open or closed to a student, with the functions that enforce access. Refuses with forbidden;
 * not_found for an unknown student or lesson.
 */
export async function explainAccess(actor: Actor, input: ExplainAccess): Promise<AccessExplanation> {
  const { courseId, studentId, lessonId, at } = input
  const now = at ? new Date(at) : new Date()
  return inTenant(actor, async (tx) => {
    const [assigned, student, enrolment] = await Promise.all([
      isAssigned(tx, actor, courseId),
      findPerson(tx, studentId),
      loadEnrolment(tx, { studentId, courseId, ...(at ? { asOf: now } : {}) }),
    ])
    requireAllowed(canManageStudents(actor, assigned))
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

/**
 * All grants of a student in a course, including revoked ones, and the access to each lesson. Refuses as explainAccess.
 */
export async function listGrants(actor: Actor, input: StudentInCourse) {
  const { courseId, studentId } = input
  return inTenant(actor, async (tx) => {
    const [assigned, student, enrolment] = await Promise.all([
      isAssigned(tx, actor, courseId),
      findPerson(tx, studentId),
      loadEnrolment(tx, { studentId, courseId }),
    ])
    requireAllowed(canManageStudents(actor, assigned))
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
        access: results[index] ?? { allow: false, reason: 'no_grant' as const },
      })),
    }
  })
}

/** What listGrants returns. */
export type CourseAccessView = Awaited<ReturnType<typeof listGrants>>

/** A grant for display; `moduleId` is that of the lesson that it is about. */
export function grantViewOf(grant: EnrolmentGrant, moduleId: string | null, now: Date): GrantView {
  return {
    id: grant.id,
    sourceType: grant.sourceType,
    name: grant.group?.name ?? null,
    startsAt: grant.startsAt,
    endsAt: grantEndsAt(grant),
    access: accessOfGrant(grant, now),
    withReview: grant.withReview,
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
