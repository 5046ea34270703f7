import { and, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { fileOf, filesOf, type LessonDoc } from '#lib/core/shared/lesson-doc.ts'
import { FileId } from '#lib/storage/schema.ts'
import { type Picture, type PictureFile, pictureFor } from '#lib/storage/signed.ts'
import { file } from '#lib/storage/table.ts'
import { attachAll, attachFiles } from '#lib/storage/use.ts'
import { course, courseModule, lesson } from '../table.ts'

/** Pictures of a text by file id, with addresses signed for the actor; at most one statement, none for plain text. */
export async function picturesIn(tx: Tx, actor: Actor, doc: LessonDoc): Promise<Map<string, Picture>> {
  const ids = filesOf(doc)
  if (ids.length === 0) return new Map()
  const rows = await tx
    .select(pictureFields)
    .from(file)
    .where(and(inArray(file.id, ids), eq(file.kind, 'image'), isNull(file.deletedAt)))
  return new Map(rows.map((row) => [row.id, pictureFor(actor, row)]))
}

export const pictureFields = {
  id: file.id,
  mime: file.mime,
  width: file.width,
  height: file.height,
  widths: file.widths,
}

/** Joins a course's cover, unless it lies in the trash. */
export const coverOf = and(eq(file.tenantId, course.tenantId), eq(file.id, course.coverFileId), isNull(file.deletedAt))

/** A joined cover, ready to be shown to the actor. */
export function shownCover(actor: Actor, cover: PictureFile | null): Picture | null {
  return cover && pictureFor(actor, cover)
}

/** Tells the storage which files lessons use: those that students read and those of the draft; none once deleted. */
export async function noteLessons(tx: Tx, actor: Actor, which: SQL): Promise<void> {
  const rows = await tx
    .select({
      id: lesson.id,
      title: lesson.title,
      gone: sql<boolean>`${lesson.deletedAt} is not null or ${courseModule.deletedAt} is not null`,
      sources: sql<string[]>`jsonb_path_query_array(${lesson.blocks}, ${FILES})
        || coalesce(jsonb_path_query_array(${lesson.publishedBlocks}, ${FILES}), '[]')`,
    })
    .from(lesson)
    .innerJoin(courseModule, and(eq(courseModule.tenantId, lesson.tenantId), eq(courseModule.id, lesson.moduleId)))
    .where(which)
  const users = rows.map(({ id, title, gone, sources }) => ({ id, title, fileIds: gone ? [] : idsOf(sources) }))
  await attachAll(actor, 'lesson', users)
}

/** The same for a course's cover, its promo and the files of its description. */
export async function noteCourse(tx: Tx, actor: Actor, courseId: string): Promise<void> {
  const { title, coverFileId, promoVideoFileId, description } = course
  const [found] = await tx
    .select({ title, coverFileId, promoVideoFileId, description })
    .from(course)
    .where(eq(course.id, courseId))
  if (!found) return
  const shown = found.description ? filesOf(found.description) : []
  const fileIds = [found.coverFileId, found.promoVideoFileId, ...shown].filter((id) => id !== null)
  await attachFiles(actor, { kind: 'course', id: courseId, title: found.title }, fileIds)
}

/** Addresses of pictures, and ids of all other files; the same as `filesOf`. */
const FILES = sql.raw(`'strict $.** ? (@.type == "image" || exists(@.attrs.fileId)).attrs.*'::jsonpath`)

const idsOf = (kept: readonly unknown[]): string[] => kept.flatMap((one) => fileOf(one) ?? (isFileId(one) ? one : []))

const isFileId = (value: unknown): value is string => FileId.safeParse(value).success
