import { and, desc, eq, sql } from 'drizzle-orm'
import { inTenant } from '#lib/core/db/db.ts'
import { microsecondsOf, rowOfKey } from '#lib/core/db/keyset.ts'
import { matchesSearch } from '#lib/core/db/search.ts'
import { InstantKey, readCursor, writeCursor } from '#lib/core/http/cursor.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { type Picture, pictureColumns } from '#lib/storage/signed-url.ts'
import { file } from '#lib/storage/table.ts'
import { insertCourse, requireCoursesFit } from './insert-course.ts'
import { coverFor, coverOf } from './lesson/pictures.ts'
import { requireCourseEditor, requireCourseViewer } from './permission.ts'
import type { CreateCourse, ListCourses } from './schema.ts'
import { course } from './table.ts'

const cardFields = {
  id: course.id,
  title: course.title,
  slug: course.slug,
  shortDescription: course.shortDescription,
  status: course.status,
  language: course.language,
  coverFileId: course.coverFileId,
  lessonCount: course.lessonCount,
  publishedLessonCount: course.publishedLessonCount,
  studentCount: course.studentCount,
  updatedAt: course.updatedAt,
}

export interface CourseCard {
  id: string
  title: string
  slug: string
  shortDescription: string
  status: 'draft' | 'published' | 'archived'
  language: 'uk' | 'en'
  coverFileId: string | null
  /** With addresses signed for the actor. */
  cover: Picture | null
  lessonCount: number
  publishedLessonCount: number
  studentCount: number
  updatedAt: Date
}

export interface CoursePage<T> {
  items: T[]
  /** Cursor of the next page; null on the last one. */
  next: string | null
}

/** Courses of the tenant, latest change first; one statement. Refuses with forbidden. */
export async function listCourses(actor: Actor, input: ListCourses): Promise<CoursePage<CourseCard>> {
  requireCourseViewer(actor)
  const { status, q, cursor, limit } = input
  const after = readCursor(InstantKey, cursor)
  const rows = await inTenant(actor, (tx) =>
    tx
      .select({
        ...cardFields,
        cover: pictureColumns,
        at: microsecondsOf(course.updatedAt),
      })
      .from(course)
      .leftJoin(file, coverOf)
      .where(
        and(
          status === 'all' ? undefined : eq(course.status, status),
          matchesSearch(q, course.title),
          after ? sql`(${course.updatedAt}, ${course.id}) < ${rowOfKey(after)}` : undefined,
        ),
      )
      .orderBy(desc(course.updatedAt), desc(course.id))
      .limit(limit + 1),
  )
  const last = rows.length > limit ? rows[limit - 1] : undefined
  const items = rows.slice(0, limit).map(({ at: _, cover, ...item }) => ({ ...item, cover: coverFor(actor, cover) }))
  return { items, next: last ? writeCursor(InstantKey, last) : null }
}

/** One course with its settings. Refuses with forbidden, not_found. */
export async function getCourse(actor: Actor, input: { courseId: string }) {
  requireCourseViewer(actor)
  const { courseId } = input
  return inTenant(actor, async (tx) => {
    const [row] = await tx
      .select({
        ...cardFields,
        cover: pictureColumns,
        description: course.description,
        category: course.category,
        tags: course.tags,
        level: course.level,
        progression: course.progression,
        startFrom: course.startFrom,
        accessStart: course.accessStart,
        accessEnd: course.accessEnd,
        lessonNumbering: course.lessonNumbering,
        promoVideoFileId: course.promoVideoFileId,
        seoTitle: course.seoTitle,
        seoDescription: course.seoDescription,
        estimatedMinutes: course.estimatedMinutes,
        homeworkSlaHours: course.homeworkSlaHours,
        version: course.version,
        publishedAt: course.publishedAt,
        archivedAt: course.archivedAt,
      })
      .from(course)
      .leftJoin(file, coverOf)
      .where(eq(course.id, courseId))
    if (!row) throw new Refusal('not_found')
    return { ...row, cover: coverFor(actor, row.cover) }
  })
}
export type CourseView = Awaited<ReturnType<typeof getCourse>>

/**
 * Creates a draft course. Refuses with forbidden, plan_inactive, or unprocessable when the plan's number of courses is
 * used up.
 */
export async function createCourse(actor: Actor, values: CreateCourse): Promise<{ courseId: string; slug: string }> {
  requireCourseEditor(actor)
  return inTenant(actor, async (tx) => {
    const created = await insertCourse(tx, actor, values)
    await requireCoursesFit(tx, actor)
    return created
  })
}
