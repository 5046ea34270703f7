import { z } from 'zod'
import { LessonDoc } from '#lib/core/shared/lesson-doc.ts'
import { Picture } from '#lib/storage/output-schema.ts'
import { CourseStudent } from './access/output-schema.ts'
import { ContentIssues } from './lesson/output-schema.ts'

export const WatchedRanges = z.record(z.string(), z.array(z.tuple([z.number(), z.number()])))

export const UpdateCourseOutput = z.object({ courseId: z.string(), version: z.number() })

const StaffMember = z.object({
  memberId: z.string(),
  name: z.string(),
  email: z.string(),
  roles: z.array(
    z.enum(['OWNER', 'DIRECTOR', 'EXPERT', 'CURATOR', 'PRESENTER', 'MODERATOR', 'MENTOR', 'MEMBER', 'STUDENT']),
  ),
  possibleRoles: z.array(z.enum(['expert', 'curator'])),
  assignedRoles: z.array(z.enum(['expert', 'curator'])),
})

export const ListStaffCourseOutput = z.array(StaffMember)

export const SetStaffCourseOutput = z.object({ people: z.number() })

export const ListContentIssuesOutput = z.array(ContentIssues)

export const ArchivedCourses = z.object({ drafts: z.array(z.string()), published: z.array(z.string()) })

export const RestoreManyCourseOutput = z.object({ restored: z.number() })

const CourseCard = z.object({
  id: z.string(),
  title: z.string(),
  slug: z.string(),
  shortDescription: z.string(),
  status: z.enum(['draft', 'published', 'archived']),
  language: z.enum(['uk', 'en']),
  coverFileId: z.string().nullable(),
  cover: Picture.nullable(),
  lessonCount: z.number(),
  publishedLessonCount: z.number(),
  studentCount: z.number(),
  updatedAt: z.date(),
})

export const ListCourseOutput = z.object({ items: z.array(CourseCard), next: z.string().nullable() })

export const GetCourseOutput = CourseCard.extend({
  description: LessonDoc.nullable(),
  category: z.string().nullable(),
  tags: z.array(z.string()),
  level: z.enum(['beginner', 'middle', 'advanced']).nullable(),
  progression: z.enum(['free', 'sequential', 'drip']),
  startFrom: z.enum(['group', 'grant', 'opening']),
  accessStart: z.date().nullable(),
  accessEnd: z.date().nullable(),
  lessonNumbering: z.boolean(),
  promoVideoFileId: z.string().nullable(),
  seoTitle: z.string(),
  seoDescription: z.string(),
  estimatedMinutes: z.number().nullable(),
  homeworkSlaHours: z.number().nullable(),
  version: z.number(),
  publishedAt: z.date().nullable(),
  archivedAt: z.date().nullable(),
})

const PublishCheck = z.object({
  key: z.enum(['lesson', 'title', 'description', 'access', 'cover', 'emptyLessons', 'tests', 'reviewer', 'accessible']),
  passed: z.boolean(),
  blocks: z.boolean(),
})

export const CourseReadiness = z.object({
  checks: z.array(PublishCheck),
  actions: z.array(z.enum(['restore', 'publish', 'unpublish', 'archive'])),
  activeStudents: z.number(),
})

export const ListStudentsOutput = z.object({
  items: z.array(CourseStudent),
  next: z.string().nullable(),
  count: z.number(),
})

export const CreateCourseOutput = z.object({ courseId: z.string(), slug: z.string() })

export const PublishCourseOutput = z.object({ status: z.literal('published') })

export const UnpublishCourseOutput = z.object({ status: z.literal('draft') })

export const ArchiveCourseOutput = z.object({ status: z.literal('archived') })

export const RestoreCourseOutput = z.object({ status: z.literal('draft') })

export const InviteCourseOutput = z.object({ studentId: z.string() })

export const GrantAccessOutput = z.object({ grantId: z.string() })
