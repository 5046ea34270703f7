import { Done, done, forRoles } from '#lib/core/http/procedure.ts'
import * as door from './course.ts'
import * as ask from './schema.ts'
import { settingsCalls } from './settings-api.ts'
import { studyCalls } from './study-api.ts'

const staff = forRoles('OWNER', 'DIRECTOR', 'EXPERT', 'CURATOR')
const authors = forRoles('OWNER', 'DIRECTOR', 'EXPERT')

/** The course room at the API's door: who may knock, what is asked, and the one function that answers. */
export const course = {
  list: staff.input(ask.ListCourses).handler(({ input, context }) => door.listCourses(context.actor, input)),
  get: staff.input(ask.CourseId).handler(({ input, context }) => door.getCourse(context.actor, input)),
  getOutline: staff.input(ask.CourseId).handler(({ input, context }) => door.getOutline(context.actor, input)),
  getReadiness: staff.input(ask.CourseId).handler(({ input, context }) => door.getReadiness(context.actor, input)),
  getLesson: staff.input(ask.LessonId).handler(({ input, context }) => door.getLesson(context.actor, input)),
  listRevisions: staff.input(ask.LessonId).handler(({ input, context }) => door.listRevisions(context.actor, input)),
  listStudents: staff
    .input(ask.ListCourseStudents)
    .handler(({ input, context }) => door.listCourseStudents(context.actor, input)),
  countLearning: staff.handler(({ context }) => door.countLearning(context.actor)),

  create: authors.input(ask.CreateCourse).handler(({ input, context }) => door.createCourse(context.actor, input)),
  publish: authors.input(ask.CourseId).handler(({ input, context }) => door.publishCourse(context.actor, input)),
  unpublish: authors.input(ask.CourseId).handler(({ input, context }) => door.unpublishCourse(context.actor, input)),
  archive: authors.input(ask.CourseId).handler(({ input, context }) => door.archiveCourse(context.actor, input)),
  restore: authors.input(ask.CourseId).handler(({ input, context }) => door.restoreCourse(context.actor, input)),

  addModule: authors.input(ask.AddModule).handler(({ input, context }) => door.addModule(context.actor, input)),
  renameModule: authors
    .input(ask.RenameModule)
    .output(Done)
    .handler(({ input, context }) => door.renameModule(context.actor, input).then(done)),
  moveModule: authors
    .input(ask.MoveModule)
    .output(Done)
    .handler(({ input, context }) => door.moveModule(context.actor, input).then(done)),
  deleteModule: authors
    .input(ask.ModuleId)
    .output(Done)
    .handler(({ input, context }) => door.deleteModule(context.actor, input).then(done)),
  restoreModule: authors
    .input(ask.ModuleId)
    .output(Done)
    .handler(({ input, context }) => door.restoreModule(context.actor, input).then(done)),

  addLesson: authors.input(ask.AddLesson).handler(({ input, context }) => door.addLesson(context.actor, input)),
  renameLesson: authors
    .input(ask.RenameLesson)
    .handler(({ input, context }) => door.renameLesson(context.actor, input)),
  moveLesson: authors
    .input(ask.MoveLesson)
    .output(Done)
    .handler(({ input, context }) => door.moveLesson(context.actor, input).then(done)),
  deleteLesson: authors
    .input(ask.LessonId)
    .output(Done)
    .handler(({ input, context }) => door.deleteLesson(context.actor, input).then(done)),
  restoreLesson: authors
    .input(ask.LessonId)
    .output(Done)
    .handler(({ input, context }) => door.restoreLesson(context.actor, input).then(done)),
  saveLesson: authors.input(ask.SaveLesson).handler(({ input, context }) => door.saveLesson(context.actor, input)),
  publishLesson: authors.input(ask.LessonId).handler(({ input, context }) => door.publishLesson(context.actor, input)),
  discardLesson: authors.input(ask.LessonId).handler(({ input, context }) => door.discardLesson(context.actor, input)),

  invite: staff.input(ask.InviteToCourse).handler(({ input, context }) => door.inviteToCourse(context.actor, input)),
  grantAccess: staff.input(ask.ChangeAccess).handler(({ input, context }) => door.grantAccess(context.actor, input)),
  revokeAccess: staff.input(ask.ChangeAccess).handler(({ input, context }) => door.revokeAccess(context.actor, input)),

  ...settingsCalls,
  ...studyCalls,
}
