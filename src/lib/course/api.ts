import { procedureForRoles } from '#lib/core/http/api/procedure.ts'
import { accessCalls } from './access/api.ts'
import { grantAccess } from './access/grants.ts'
import { inviteToCourse } from './access/invite.ts'
import { revokeAccess } from './access/revoke.ts'
import { listCourseStudents } from './access/students.ts'
import { createCourse, getCourse, listCourses } from './course.ts'
import { studyCalls } from './learning/api.ts'
import { lessonCalls } from './lesson/api.ts'
import { outlineCalls } from './outline/api.ts'
import { archiveCourse, getReadiness, publishCourse, restoreCourse, unpublishCourse } from './publish.ts'
import { CourseId, CreateCourse, GrantAccess, InviteToCourse, ListCourseStudents, ListCourses } from './schema.ts'
import { settingsCalls } from './settings-api.ts'
import { countLearning } from './statistics/course-totals.ts'
import { transferCalls } from './transfer/api.ts'

const staff = procedureForRoles('OWNER', 'DIRECTOR', 'EXPERT', 'CURATOR')
const authors = procedureForRoles('OWNER', 'DIRECTOR', 'EXPERT')

/** Procedures of courses. */
export const course = {
  ...accessCalls,
  list: staff.input(ListCourses).handler(({ input, context }) => listCourses(context.actor, input)),
  get: staff.input(CourseId).handler(({ input, context }) => getCourse(context.actor, input)),
  getReadiness: staff.input(CourseId).handler(({ input, context }) => getReadiness(context.actor, input)),
  listStudents: staff
    .input(ListCourseStudents)
    .handler(({ input, context }) => listCourseStudents(context.actor, input)),
  countLearning: staff.handler(({ context }) => countLearning(context.actor)),

  ...lessonCalls,

  create: authors.input(CreateCourse).handler(({ input, context }) => createCourse(context.actor, input)),
  publish: authors.input(CourseId).handler(({ input, context }) => publishCourse(context.actor, input)),
  unpublish: authors.input(CourseId).handler(({ input, context }) => unpublishCourse(context.actor, input)),
  archive: authors.input(CourseId).handler(({ input, context }) => archiveCourse(context.actor, input)),
  restore: authors.input(CourseId).handler(({ input, context }) => restoreCourse(context.actor, input)),

  ...outlineCalls,

  invite: staff.input(InviteToCourse).handler(({ input, context }) => inviteToCourse(context.actor, input)),
  grantAccess: staff.input(GrantAccess).handler(({ input, context }) => grantAccess(context.actor, input)),
  revokeAccess: staff.input(GrantAccess).handler(({ input, context }) => revokeAccess(context.actor, input)),

  ...settingsCalls,
  ...studyCalls,
  ...transferCalls,
}
