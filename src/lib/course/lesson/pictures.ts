import { and, eq, isNull, type SQL, sql } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { ANYONE } from '#lib/core/files/url-token.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { fileOf, filesOf } from '#lib/core/shared/lesson-doc.ts'
import { attachFiles, attachFilesOfMany } from '#lib/storage/file-use.ts'
import { FileId } from '#lib/storage/schema.ts'
import { type Picture, type PictureFile, pictureColumns, pictureFor } from '#lib/storage/signed-url.ts'
import { file } from '#lib/storage/table.ts'
import { course, courseModule, lesson } from '../table.ts'

/** Joins a course's cover unless the file is in the trash. */
export const coverOf = and(eq(file.tenantId, course.tenantId), eq(file.id, course.coverFileId), isNull(file.deletedAt))

/** The cover with addresses signed for the actor. */
export function coverFor(actor: Actor, cover: PictureFile | null): Picture | null {
  return cover && pictureFor(actor, cover)
}

/** The cover of a published course, for everyone; null when it has none. Refuses with not_found for other courses. */
export async function readPublicCover(tenantId: string, courseId: string): Promise<Picture | null> {
  const [row] = await inTenant({ tenantId }, (tx) =>
    tx
      .select({ cover: pictureColumns })
      .from(course)
      .leftJoin(file, coverOf)
      .where(and(eq(course.id, courseId), eq(course.status, 'published'))),
  )
  if (!row) throw new Refusal('not_found')
  return row.cover && pictureFor({ tenantId, viewer: ANYONE }, row.cover)
}

/** Records in the storage which files the draft and the published text of lessons use; none once deleted. */
export async function attachLessonFiles(tx: Tx, actor: Actor, condition: SQL): Promise<void> {
  const rows = await tx
    .select({
      id: lesson.id,
      title: lesson.title,
      isDeleted: sql<boolean>`${lesson.deletedAt} is not null or ${courseModule.deletedAt} is not null`,
      sources: sql<string[]>`jsonb_path_query_array(${lesson.blocks}, ${FILE_REFERENCES})
        || coalesce(jsonb_path_query_array(${lesson.publishedBlocks}, ${FILE_REFERENCES}), '[]')`,
    })
    .from(lesson)
    .innerJoin(courseModule, and(eq(courseModule.tenantId, lesson.tenantId), eq(courseModule.id, lesson.moduleId)))
    .where(condition)
  const uses = rows.map(({ id, title, isDeleted, sources }) => ({
    id,
    title,
    fileIds: isDeleted ? [] : fileIdsOf(sources),
  }))
  await attachFilesOfMany(actor, 'lesson', uses)
}

/** Records the files of a course: cover, promo and description. */
export async function attachCourseFiles(tx: Tx, actor: Actor, courseId: string): Promise<void> {
  const { title, coverFileId, promoVideoFileId, description } = course
  const [courseRow] = await tx
    .select({ title, coverFileId, promoVideoFileId, description })
    .from(course)
    .where(eq(course.id, courseId))
  if (!courseRow) return
  const descriptionFileIds = courseRow.description ? filesOf(courseRow.description) : []
  const fileIds = [courseRow.coverFileId, courseRow.promoVideoFileId, ...descriptionFileIds].filter((id) => id !== null)
  await attachFiles(actor, { kind: 'course', id: courseId, title: courseRow.title }, fileIds)
}

/** Image addresses and file ids in a document; equal to `filesOf`. */
const FILE_REFERENCES = sql.raw(`'strict $.** ? (@.type == "image" || exists(@.attrs.fileId)).attrs.*'::jsonpath`)

const fileIdsOf = (references: readonly unknown[]): string[] =>
  references.flatMap((reference) => fileOf(reference) ?? (isFileId(reference) ? reference : []))

const isFileId = (value: unknown): value is string => FileId.safeParse(value).success
