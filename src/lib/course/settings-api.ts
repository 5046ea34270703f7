import { procedureForRoles } from '#lib/core/http/api/procedure.ts'
import { archiveCourses, restoreCourses } from './archive.ts'
import { listContentIssues } from './lesson/content-issues.ts'
import { CourseId } from './schema.ts'
import { updateCourse } from './settings.ts'
import { CourseIds, SetStaff, UpdateCourse } from './settings-schema.ts'
import { listStaff, setStaff } from './staff.ts'

const staff = procedureForRoles('OWNER', 'DIRECTOR', 'EXPERT', 'CURATOR')
const authors = procedureForRoles('OWNER', 'DIRECTOR', 'EXPERT')

/** Procedures of course settings, staff, and bulk actions on courses. */
export const settingsCalls = {
  update: authors.input(UpdateCourse).handler(({ input, context }) => updateCourse(context.actor, input)),
  listStaff: staff.input(CourseId).handler(({ input, context }) => listStaff(context.actor, input)),
  setStaff: authors.input(SetStaff).handler(({ input, context }) => setStaff(context.actor, input)),
  listContentIssues: staff.input(CourseId).handler(({ input, context }) => listContentIssues(context.actor, input)),
  archiveMany: authors.input(CourseIds).handler(({ input, context }) => archiveCourses(context.actor, input)),
  restoreMany: authors.input(CourseIds).handler(({ input, context }) => restoreCourses(context.actor, input)),
}
