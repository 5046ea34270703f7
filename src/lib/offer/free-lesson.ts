import { and, asc, eq, isNull, type SQL, sql } from 'drizzle-orm'
import { inTenant } from '#lib/core/db/db.ts'
import { ANYONE } from '#lib/core/files/url-token.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Locale } from '#lib/core/shared/locale.ts'
import {
  lessonParts,
  loadLessonFiles,
  type Material,
  type StudentLessonPart,
} from '#lib/course/learning/lesson-parts.ts'
import { course, courseModule, lesson } from '#lib/course/table.ts'

/** Condition: lessons that are in the program of a published course, for a statement on `lesson` and `courseModule`. */
export const isShownLesson: SQL | undefined = and(
  sql`${lesson.publishedVersion} is not null and not ${lesson.hidden} and not ${courseModule.hidden}`,
  isNull(lesson.deletedAt),
  isNull(courseModule.deletedAt),
)

/** A lesson that everybody may read, without an account. */
interface FreeLesson {
  course: { id: string; title: string; language: 'uk' | 'en'; hasCover: boolean }
  lesson: { id: string; title: string; minutes: number | null }
  parts: StudentLessonPart[]
  materials: Material[]
  /** The other free lessons of the course next to it. */
  previous: { id: string; title: string } | null
  next: { id: string; title: string } | null
}

// A visitor has no membership, and positions of players are kept on the device.
const NO_MEMBER = '00000000-0000-0000-0000-000000000000'

/**
 * A lesson of a published course that its author has opened to everybody, whatever rules open it to students. `locale` is the
 * language of the labels around the text. Refuses with not_found for every other lesson.
 */
export function readFreeLesson(
  tenantId: string,
  { courseId, lessonId }: { courseId: string; lessonId: string },
  locale: Locale,
): Promise<FreeLesson> {
  return inTenant({ tenantId }, async (tx) => {
    const visitor = { tenantId, viewer: ANYONE, membershipId: NO_MEMBER, roles: [] }
    const [[row], free, files] = await Promise.all([
      tx
        .select({
          course: {
            id: course.id,
            title: course.title,
            language: course.language,
            hasCover: sql<boolean>`${course.coverFileId} is not null`,
          },
          blocks: lesson.publishedBlocks,
          minutes: lesson.durationMinutes,
        })
        .from(lesson)
        .innerJoin(course, and(eq(course.tenantId, lesson.tenantId), eq(course.id, lesson.courseId)))
        .where(and(eq(lesson.id, lessonId), eq(course.id, courseId), eq(course.status, 'published'))),
      tx
        .select({ id: lesson.id, title: sql<string>`${lesson.publishedTitle}` })
        .from(lesson)
        .innerJoin(courseModule, and(eq(courseModule.tenantId, lesson.tenantId), eq(courseModule.id, lesson.moduleId)))
        .where(and(eq(lesson.courseId, courseId), lesson.freePreview, isShownLesson))
        .orderBy(asc(courseModule.position), asc(courseModule.id), asc(lesson.position), asc(lesson.id)),
      loadLessonFiles(tx, visitor, lessonId),
    ])
    const index = free.findIndex(({ id }) => id === lessonId)
    const here = free[index]
    if (!row?.blocks || !here) throw new Refusal('not_found')
    return {
      course: row.course,
      lesson: { ...here, minutes: row.minutes },
      ...lessonParts(visitor, row.blocks, files, locale),
      previous: free[index - 1] ?? null,
      next: free[index + 1] ?? null,
    }
  })
}
