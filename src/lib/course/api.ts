import { NoInput, procedureForRoles } from '#lib/core/http/api/procedure.ts'
import { accessCalls } from './access/api.ts'
import { grantAccess } from './access/grants.ts'
import { inviteToCourse } from './access/invite.ts'
import { RevokedAccess } from './access/output-schema.ts'
import { revokeAccess } from './access/revoke.ts'
import { listCourseStudents } from './access/students.ts'
import { createCourse, getCourse, listCourses } from './course.ts'
import { groupCalls } from './group/api.ts'
import { invitationLinkCalls } from './invitation-link/api.ts'
import { studyCalls } from './learning/api.ts'
import { lessonCalls } from './lesson/api.ts'
import { outlineCalls } from './outline/api.ts'
import {
  ArchiveCourseOutput,
  CourseReadiness,
  CreateCourseOutput,
  GetCourseOutput,
  GrantAccessOutput,
  InviteCourseOutput,
  ListCourseOutput,
  ListStudentsOutput,
  PublishCourseOutput,
  RestoreCourseOutput,
  UnpublishCourseOutput,
} from './output-schema.ts'
import { archiveCourse, getCourseReadiness, publishCourse, restoreCourse, unpublishCourse } from './publish.ts'
import { CourseId, CreateCourse, GrantAccess, InviteToCourse, ListCourseStudents, ListCourses } from './schema.ts'
import { settingsCalls } from './settings-api.ts'
import { countLearning } from './statistics/course-totals.ts'
import { CourseTotals } from './statistics/output-schema.ts'
import { transferCalls } from './transfer/api.ts'

const staff = procedureForRoles('OWNER', 'DIRECTOR', 'EXPERT', 'CURATOR')
const authors = procedureForRoles('OWNER', 'DIRECTOR', 'EXPERT')

/** Procedures of courses. */
export const course = {
  ...accessCalls,
  ...groupCalls,
  ...invitationLinkCalls,
  list: staff
    .route({ summary: 'Returns courses of the tenant, latest change first' })
    .input(ListCourses)
    .output(ListCourseOutput)
    .handler(({ input, context }) => listCourses(context.actor, input)),
  get: staff
    .route({ summary: 'Returns one course with its settings' })
    .input(CourseId)
    .output(GetCourseOutput)
    .handler(({ input, context }) => getCourse(context.actor, input)),
  getReadiness: staff
    .route({ summary: 'Returns publication checks of a course' })
    .input(CourseId)
    .output(CourseReadiness)
    .handler(({ input, context }) => getCourseReadiness(context.actor, input)),
  listStudents: staff
    .route({ summary: 'Returns students with access to a course and their progress, newest first' })
    .input(ListCourseStudents)
    .output(ListStudentsOutput)
    .handler(({ input, context }) => listCourseStudents(context.actor, input)),
  countLearning: staff
    .route({ summary: 'Returns totals of the courses that the actor is responsible for' })
    .input(NoInput)
    .output(CourseTotals)
    .handler(({ context }) => countLearning(context.actor)),

  ...lessonCalls,

  create: authors
    .route({ summary: 'Creates a draft course' })
    .input(CreateCourse)
    .output(CreateCourseOutput)
    .handler(({ input, context }) => createCourse(context.actor, input)),
  publish: authors
    .route({ summary: 'Publishes a draft course with all lesson drafts' })
    .input(CourseId)
    .output(PublishCourseOutput)
    .handler(({ input, context }) => publishCourse(context.actor, input)),
  unpublish: authors
    .route({ summary: 'Unpublishes a course without active students' })
    .input(CourseId)
    .output(UnpublishCourseOutput)
    .handler(({ input, context }) => unpublishCourse(context.actor, input)),
  archive: authors
    .route({ summary: 'Archives a course' })
    .input(CourseId)
    .output(ArchiveCourseOutput)
    .handler(({ input, context }) => archiveCourse(context.actor, input)),
  restore: authors
    .route({ summary: 'Restores an archived course as a draft' })
    .input(CourseId)
    .output(RestoreCourseOutput)
    .handler(({ input, context }) => restoreCourse(context.actor, input)),

  ...outlineCalls,

  invite: staff
    .route({ summary: 'Mails an invitation to the school and gives access to the course, both or neither' })
    .input(InviteToCourse)
    .output(InviteCourseOutput)
    .handler(({ input, context }) => inviteToCourse(context.actor, input)),
  grantAccess: staff
    .route({ summary: 'Grants a student the whole course manually' })
    .input(GrantAccess)
    .output(GrantAccessOutput)
    .handler(({ input, context }) => grantAccess(context.actor, input)),
  revokeAccess: staff
    .route({ summary: 'Revokes every current grant of a student in a course' })
    .input(GrantAccess)
    .output(RevokedAccess)
    .handler(({ input, context }) => revokeAccess(context.actor, input)),

  ...settingsCalls,
  ...studyCalls,
  ...transferCalls,
}
