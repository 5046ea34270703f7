import { procedureForRoles } from '#lib/core/http/api/procedure.ts'
import { archiveCourses, restoreCourses } from './archive.ts'
import { listContentIssues } from './lesson/content-issues.ts'
import {
  ArchivedCourses,
  ListContentIssuesOutput,
  ListStaffCourseOutput,
  RestoreManyCourseOutput,
  SetStaffCourseOutput,
  UpdateCourseOutput,
} from './output-schema.ts'
import { CourseId } from './schema.ts'
import { updateCourse } from './settings.ts'
import { CourseIds, SetCourseStaff, UpdateCourse } from './settings-schema.ts'
import { listStaff, setStaff } from './staff.ts'

const staff = procedureForRoles('OWNER', 'DIRECTOR', 'EXPERT', 'CURATOR')
const authors = procedureForRoles('OWNER', 'DIRECTOR', 'EXPERT')

/** Procedures of course settings, staff, and bulk actions on courses. */
export const settingsCalls = {
  update: authors
    .route({ summary: 'Changes the given settings' })
    .input(UpdateCourse)
    .output(UpdateCourseOutput)
    .handler(({ input, context }) => updateCourse(context.actor, input)),
  listStaff: staff
    .route({ summary: 'Returns team members who are or can be staff of a course, by name' })
    .input(CourseId)
    .output(ListStaffCourseOutput)
    .handler(({ input, context }) => listStaff(context.actor, input)),
  setStaff: authors
    .route({ summary: 'Replaces the staff of a course' })
    .input(SetCourseStaff)
    .output(SetStaffCourseOutput)
    .handler(({ input, context }) => setStaff(context.actor, input)),
  listContentIssues: staff
    .route({ summary: 'Returns lessons of a course with accessibility or content issues' })
    .input(CourseId)
    .output(ListContentIssuesOutput)
    .handler(({ input, context }) => listContentIssues(context.actor, input)),
  archiveMany: authors
    .route({ summary: 'Archives several courses' })
    .input(CourseIds)
    .output(ArchivedCourses)
    .handler(({ input, context }) => archiveCourses(context.actor, input)),
  restoreMany: authors
    .route({ summary: 'Restores several archived courses as drafts' })
    .input(CourseIds)
    .output(RestoreManyCourseOutput)
    .handler(({ input, context }) => restoreCourses(context.actor, input)),
}
