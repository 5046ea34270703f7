import { eq } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { membership, user } from '#lib/user/table.ts'
import { isAssigned, must } from '../permission.ts'
import { canManageStudents } from '../rules.ts'
import { endOf, grantAccess } from './access.ts'
import type { Access } from './access-reason.ts'
import { accessOf, loadStudy, type Study, type StudyGrant } from './enrolment.ts'
import { AskWhy, StudentInCourse } from './schema.ts'

/** A reason for access as people read it. */
export interface GrantView {
  id: string
  sourceType: StudyGrant['sourceType']
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
  whom: 'student' | 'group' | 'course'
}

export interface Why {
  student: Person
  lesson: { id: string; title: string }
  at: Date
  /** The school's. */
  zone: string
  access: Access
  grants: GrantView[]
  override: OverrideView | null
}

interface Person {
  id: string
  name: string
}

/**
 * Why a lesson is open or closed to a student, by the function that enforces it. Refuses with forbidden; not_found for a
 * student or a lesson of elsewhere.
 */
export async function getWhy(actor: Actor, input: AskWhy): Promise<Why> {
  const { courseId, studentId, lessonId, at } = AskWhy.parse(input)
  const now = at ? new Date(at) : new Date()
  return inTenant(actor, async (tx) => {
    must(canManageStudents(actor, await isAssigned(tx, actor, courseId)))
    const student = await findPerson(tx, studentId)
    const study = await loadStudy(tx, { studentId, courseId, ...(at ? { asOf: now } : {}) })
    const index = study.lessons.findIndex(({ id }) => id === lessonId)
    const lesson = study.lessons[index]
    const access = accessOf(study, now)[index]
    if (!lesson || !access) throw new Refusal('not_found')
    return {
      student,
      lesson: { id: lesson.id, title: lesson.title },
      at: now,
      zone: study.zone,
      access,
      grants: study.grants.map((grant) => viewOf(grant, lesson.moduleId, now)),
      override: await overrideOf(tx, study, access.overrideId),
    }
  })
}

/** Everything that gives a student access to a course, revoked grants too. Refuses as getWhy. */
export async function listGrants(actor: Actor, input: StudentInCourse) {
  const { courseId, studentId } = StudentInCourse.parse(input)
  return inTenant(actor, async (tx) => {
    must(canManageStudents(actor, await isAssigned(tx, actor, courseId)))
    const student = await findPerson(tx, studentId)
    const study = await loadStudy(tx, { studentId, courseId })
    const now = new Date()
    const answers = accessOf(study, now)
    return {
      student,
      zone: study.zone,
      grants: study.grants.map((grant) => viewOf(grant, null, now)),
      lessons: study.lessons.map(({ id, title, moduleTitle, completedAt, openedAt }, index) => ({
        id,
        title,
        moduleTitle,
        completedAt,
        openedAt,
        access: answers[index] ?? { allow: false, because: 'no_grant' as const },
      })),
    }
  })
}

function viewOf(grant: StudyGrant, moduleId: string | null, now: Date): GrantView {
  return {
    id: grant.id,
    sourceType: grant.sourceType,
    name: grant.group?.name ?? null,
    startsAt: grant.startsAt,
    endsAt: endOf(grant),
    access: grantAccess(grant, now),
    covers: moduleId === null || grant.moduleIds === null || grant.moduleIds.includes(moduleId),
  }
}

async function overrideOf(tx: Tx, { overrides }: Study, id: string | undefined): Promise<OverrideView | null> {
  const found = overrides.find((one) => one.id === id)
  if (!found) return null
  const { effect, days, note, at, studentId, groupId } = found
  const whom = studentId ? 'student' : groupId ? 'group' : 'course'
  return { id: found.id, effect, days, note, at, whom, by: (await findPerson(tx, found.by)).name }
}

async function findPerson(tx: Tx, id: string): Promise<Person> {
  const [found] = await tx
    .select({ firstName: user.firstName, lastName: user.lastName, email: user.email })
    .from(membership)
    .innerJoin(user, eq(user.id, membership.userId))
    .where(eq(membership.id, id))
  if (!found) throw new Refusal('not_found')
  return { id, name: `${found.firstName} ${found.lastName}`.trim() || found.email }
}
