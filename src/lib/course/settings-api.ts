import { forRoles } from '#lib/core/http/api/procedure.ts'
import * as door from './course.ts'
import { CourseId } from './schema.ts'
import { SetStaff, SomeCourses, UpdateCourse } from './settings-schema.ts'

const staff = forRoles('OWNER', 'DIRECTOR', 'EXPERT', 'CURATOR')
const authors = forRoles('OWNER', 'DIRECTOR', 'EXPERT')

/** What is said of a course as a whole, its people, and several courses at once. */
export const settingsCalls = {
  update: authors.input(UpdateCourse).handler(({ input, context }) => door.updateCourse(context.actor, input)),
  listStaff: staff.input(CourseId).handler(({ input, context }) => door.listStaff(context.actor, input)),
  setStaff: authors.input(SetStaff).handler(({ input, context }) => door.setStaff(context.actor, input)),
  listFlaws: staff.input(CourseId).handler(({ input, context }) => door.listFlaws(context.actor, input)),
  archiveMany: authors.input(SomeCourses).handler(({ input, context }) => door.archiveCourses(context.actor, input)),
  restoreMany: authors.input(SomeCourses).handler(({ input, context }) => door.restoreCourses(context.actor, input)),
}
