import { forRoles } from '#lib/core/http/api/procedure.ts'
import { accessCalls } from './access/api.ts'
import * as door from './course.ts'
import { studyCalls } from './learning/api.ts'
import { lessonCalls } from './lesson/api.ts'
import { outlineCalls } from './outline/api.ts'
import * as ask from './schema.ts'
import { settingsCalls } from './settings-api.ts'
import { transferCalls } from './transfer/api.ts'

export { duplicateCalls } from './outline/api.ts'

const staff = forRoles('OWNER', 'DIRECTOR', 'EXPERT', 'CURATOR')
const authors = forRoles('OWNER', 'DIRECTOR', 'EXPERT')

/** The course room at the API's door: who may knock, what is asked, and the one function that answers. */
export const course = {
  ...accessCalls,
  list: staff.input(ask.ListCourses).handler(({ input, context }) => door.listCourses(context.actor, input)),
  get: staff.input(ask.CourseId).handler(({ input, context }) => door.getCourse(context.actor, input)),
  getReadiness: staff.input(ask.CourseId).handler(({ input, context }) => door.getReadiness(context.actor, input)),
  listStudents: staff
    .input(ask.ListCourseStudents)
    .handler(({ input, context }) => door.listCourseStudents(context.actor, input)),
  countLearning: staff.handler(({ context }) => door.countLearning(context.actor)),

  ...lessonCalls,

  create: authors.input(ask.CreateCourse).handler(({ input, context }) => door.createCourse(context.actor, input)),
  publish: authors.input(ask.CourseId).handler(({ input, context }) => door.publishCourse(context.actor, input)),
  unpublish: authors.input(ask.CourseId).handler(({ input, context }) => door.unpublishCourse(context.actor, input)),
  archive: authors.input(ask.CourseId).handler(({ input, context }) => door.archiveCourse(context.actor, input)),
  restore: authors.input(ask.CourseId).handler(({ input, context }) => door.restoreCourse(context.actor, input)),

  ...outlineCalls,

  invite: staff.input(ask.InviteToCourse).handler(({ input, context }) => door.inviteToCourse(context.actor, input)),
  grantAccess: staff.input(ask.ChangeAccess).handler(({ input, context }) => door.grantAccess(context.actor, input)),
  revokeAccess: staff.input(ask.ChangeAccess).handler(({ input, context }) => door.revokeAccess(context.actor, input)),

  ...settingsCalls,
  ...studyCalls,
  ...transferCalls,
}
