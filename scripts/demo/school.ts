import { randomUUID } from 'node:crypto'
import path from 'node:path'
import { setPlan } from '#lib/billing/billing.ts'
import { SetPlan } from '#lib/billing/schema.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { PlanView } from '#lib/core/shared/plan.ts'
import { type AccountType, effectiveRoles, type PlanGroup, type Role } from '#lib/core/shared/role.ts'
import { grantAccess } from '#lib/course/access/grants.ts'
import { completeLesson } from '#lib/course/learning/completion.ts'
import { openLesson } from '#lib/course/learning/open-lesson.ts'
import { readCourseFolder } from '#lib/course/transfer/read-course-folder.ts'
import { addMember, createSchool, findOrCreateUser } from '#lib/user/member.ts'
import { type ImportedCourse, importCourse } from './import-course.ts'
import { type DemoPerson, type DemoStudent, PASSWORD } from './people.ts'

const DAY = 24 * 3600 * 1000

export interface DemoSchool {
  tenantId: string
  subdomain: string
  name: string
  plans: PlanView[]
  owner: Actor
}

/** A school with its owner and its plans; `days` from now to the next payment, negative for an expired plan. */
export async function openSchool(
  school: { subdomain: string; name: string },
  owner: DemoPerson,
  paid: Record<PlanGroup, { plan: PlanView['plan']; days: number }>,
): Promise<DemoSchool> {
  const { userId } = await findOrCreateUser({ ...owner, password: PASSWORD, isVerified: true })
  const { tenantId, membershipId } = await createSchool({ ...school, ownerId: userId })
  const plans: PlanView[] = []
  for (const group of ['lms', 'workshop'] as const) {
    const { plan, days } = paid[group]
    const nextPayment = new Date(Date.now() + days * DAY)
    await setPlan(SetPlan.parse({ tenantId, group, plan, nextPayment }))
    plans.push({
      group,
      plan,
      state: 'current',
      period: 'month',
      nextPayment: nextPayment.toISOString(),
      trialEndsAt: null,
    })
  }
  const about = { ...school, tenantId, plans }
  return { ...about, owner: actorOf(about, owner, { userId, membershipId, accountType: 'ACCOUNT_TYPE_PRODUCT_OWNER' }) }
}

/** A team member; without roles a MEMBER. */
export async function employ(school: DemoSchool, person: DemoPerson & { roles: Role[] }): Promise<Actor> {
  const { roles, ...names } = person
  const { userId } = await findOrCreateUser({ ...names, password: PASSWORD, isVerified: true })
  const accountType = 'ACCOUNT_TYPE_TEAM_MEMBER' as const
  const { tenantId } = school
  const { membershipId } = await addMember({ tenantId, userId, accountType, roles, status: 'active' })
  return actorOf(school, person, { userId, membershipId, accountType, roles })
}

/**
 * A student who has accepted, with access to courses and a number of completed lessons in each; the next one is open.
 */
export async function enrol(
  school: DemoSchool,
  person: DemoStudent,
  courses: Partial<Record<keyof DemoStudent['done'], ImportedCourse>>,
): Promise<Actor> {
  const { email, firstName, lastName, password } = person
  const { userId } = await findOrCreateUser({ email, firstName, lastName, password, isVerified: true })
  const accountType = 'ACCOUNT_TYPE_STUDENT' as const
  const { tenantId } = school
  const { membershipId } = await addMember({ tenantId, userId, accountType, status: 'accepted' })
  const student = actorOf(school, person, { userId, membershipId, accountType })
  for (const name of ['webinar', 'voice', 'phone', 'notes'] as const) {
    const done = person.done[name]
    const course = courses[name]
    if (done === undefined || !course) continue
    await grantAccess(school.owner, { courseId: course.courseId, studentId: membershipId })
    for (const lessonId of course.lessonIds.slice(0, done)) await completeLesson(student, { lessonId })
    const next = course.lessonIds[done]
    if (next && done > 0) await openLesson(student, { lessonId: next })
  }
  return student
}

/** Imports a course of this demo by its folder's name, or the sample course of the documentation. */
export async function writeCourse(author: Actor, folder: string): Promise<ImportedCourse> {
  const root = folder === 'sample' ? '../../docs/sample-course' : `./courses/${folder}`
  return importCourse(author, await readCourseFolder(path.join(import.meta.dirname, root)))
}

interface Membership {
  userId: string
  membershipId: string
  accountType: AccountType
  roles?: Role[]
}

// Everything happens in one transaction, which a session lookup could not see, so the actor is constructed.
function actorOf(school: Omit<DemoSchool, 'owner'>, person: DemoPerson, member: Membership): Actor {
  const { tenantId, subdomain, name: tenantName, plans } = school
  const { userId, membershipId, accountType, roles = [] } = member
  const { email, firstName, lastName } = person
  return {
    userId,
    email,
    firstName,
    lastName,
    locale: 'uk',
    timeZone: 'Europe/Kyiv',
    sessionId: randomUUID(),
    viewer: 'nobody',
    tenantId,
    subdomain,
    tenantName,
    tenantTimeZone: 'Europe/Kyiv',
    plans,
    addOns: [],
    memberships: [],
    unreadNotifications: 0,
    membershipId,
    accountType,
    roles: effectiveRoles(accountType, roles),
  }
}
