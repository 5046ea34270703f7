import { and, desc, eq, ilike, lt, or, sql } from 'drizzle-orm'
import { inTenant } from '#lib/core/db/db.ts'
import { containing } from '#lib/core/db/search.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { Picture } from '#lib/storage/storage.ts'
import { file } from '#lib/storage/table.ts'
import { beginCourse } from './beginning.ts'
import { type Cursor, readCursor, writeCursor } from './cursor.ts'
import { mustEdit, mustSee } from './permission.ts'
import { coverOf, pictureFields, shownCover } from './pictures.ts'
import { CourseId, CreateCourse, ListCourses } from './schema.ts'
import { course } from './table.ts'

export type { Access, Reason } from './access.ts'
export { type Changed, moveLesson, moveModule, placeLessons, placeModule } from './arrange.ts'
export { attendLesson, type LessonEvent } from './attend.ts'
export { changeAccess, type Effect, type Preview, previewAccess, undoAccess } from './change.ts'
export { listAccessChanges } from './change-list.ts'
export { type Completion, completeLesson, reopenLesson } from './completion.ts'
export { type CopyTasks, duplicateLessons, duplicateModule } from './duplicate.ts'
export { type DescribedCourse, describeCourse, describeFiles } from './export.ts'
export * from './figures.ts'
export { listFlaws } from './flaws.ts'
export { grantAccess, revokeAccess } from './grants.ts'
export {
  addToGroup,
  archiveGroup,
  createGroup,
  listGroups,
  removeFromGroup,
  restoreGroup,
  type StudyGroup,
  updateGroup,
} from './group.ts'
export { type Incoming, Notes } from './incoming.ts'
export { type NewIds, replaced } from './incoming-doc.ts'
export { discardFiles, type StoredFiles, storeFiles } from './incoming-files.ts'
export * from './invite.ts'
export * from './lesson.ts'
export { saveLesson } from './lesson-save.ts'
export { getMatrix, type Matrix, type MatrixRow } from './matrix.ts'
export * from './note.ts'
export * from './numbers.ts'
export * from './outline.ts'
export { undoChange } from './outline-change.ts'
export { changeLessons, changeModule, type ManyChanged, publishLessons, renameLesson } from './outline-set.ts'
export { previewCourse } from './preview.ts'
export { noteHomework, noteTasks } from './progress.ts'
export * from './publish.ts'
export { readPackage } from './read-package.ts'
export { openLesson } from './reading.ts'
export { type LessonPart, renderLesson, renderParts } from './render.ts'
export {
  getLessonText,
  type LessonText,
  listRevisions,
  nameRevision,
  type RevisionLine,
  restoreRevision,
} from './revision.ts'
export { duplicateCourse, getDates } from './run.ts'
export * from './settings.ts'
export * from './shelf.ts'
export { filesShown, type Shown, type ShownFile, showLesson } from './shown.ts'
export * from './staff.ts'
export * from './students.ts'
export * from './study.ts'
export type { StudiedLesson, StudiedModule } from './study-outline.ts'
export type { Material, StudyPart } from './study-parts.ts'
export { type WeighedLesson, weighLesson } from './term.ts'
export {
  findImport,
  getTransfer,
  type ImportJob,
  listTransfers,
  noteTransfer,
  startImport,
  type TransferView,
} from './transfer.ts'
export * from './trash.ts'
export { saveWatched, type Watched } from './watch.ts'
export { type GrantView, getWhy, listGrants, type Why } from './why.ts'
export { writeCourse } from './write-course.ts'

const card = {
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
  /** With addresses for whoever asked. */
  cover: Picture | null
  lessonCount: number
  publishedLessonCount: number
  studentCount: number
  updatedAt: Date
}

export interface Page<T> {
  items: T[]
  /** Hand it in as `cursor` for the next page; null on the last one. */
  next: string | null
}

/** Courses of the school, the latest change first; one statement whatever the school's size. Refuses with forbidden. */
export async function listCourses(actor: Actor, input: ListCourses = {}): Promise<Page<CourseCard>> {
  mustSee(actor)
  const { status, q, cursor, limit } = ListCourses.parse(input)
  const after = readCursor(cursor)
  const rows = await inTenant(actor, (tx) =>
    tx
      .select({
        ...{ ...card, cover: pictureFields },
        at: sql<string>`(extract(epoch from ${course.updatedAt}) * 1000000)::bigint::text`,
      })
      .from(course)
      .leftJoin(file, coverOf)
      .where(
        and(
          status === 'all' ? undefined : eq(course.status, status),
          q === '' ? undefined : ilike(course.title, containing(q)),
          after ? isBehind(after) : undefined,
        ),
      )
      .orderBy(desc(course.updatedAt), desc(course.id))
      .limit(limit + 1),
  )
  const last = rows.length > limit ? rows[limit - 1] : undefined
  const items = rows.slice(0, limit).map(({ at: _, cover, ...item }) => ({ ...item, cover: shownCover(actor, cover) }))
  return { items, next: last ? writeCursor(last) : null }
}

/** One course with all that its settings need. Refuses with forbidden, not_found. */
export async function getCourse(actor: Actor, input: { courseId: string }) {
  mustSee(actor)
  const { courseId } = CourseId.parse(input)
  return inTenant(actor, async (tx) => {
    const [found] = await tx
      .select({
        ...card,
        cover: pictureFields,
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
    if (!found) throw new Refusal('not_found')
    return { ...found, cover: shownCover(actor, found.cover) }
  })
}
export type CourseView = Awaited<ReturnType<typeof getCourse>>

/** Begins a draft. Refuses with forbidden, plan_inactive, or unprocessable when the plan's number of courses is used up. */
export async function createCourse(actor: Actor, input: CreateCourse): Promise<{ courseId: string; slug: string }> {
  mustEdit(actor)
  const values = CreateCourse.parse(input)
  return inTenant(actor, (tx) => beginCourse(tx, actor, values))
}

function isBehind({ at, id }: Cursor) {
  const instant = sql`(timestamptz 'epoch' + ${at}::bigint * interval '1 microsecond')`
  return or(lt(course.updatedAt, instant), and(eq(course.updatedAt, instant), lt(course.id, id)))
}
