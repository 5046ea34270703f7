import { and, asc, eq, inArray, isNull, ne } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { portableFileName } from '#lib/core/files/portable-name.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { filesOf } from '#lib/core/shared/lesson-doc.ts'
import { caption, file, video } from '#lib/storage/table.ts'
import { requireAllowed } from '../permission.ts'
import { canEditCourse } from '../rules.ts'
import type { CourseSettings } from '../settings-schema.ts'
import { course, courseModule, lesson } from '../table.ts'
import {
  BUNDLE_FORMAT,
  BUNDLE_VERSION,
  type BundleFile,
  type BundleLesson,
  type BundleModule,
  type CourseBundle,
} from './bundle-schema.ts'

/** A course without its files, and the ids of the files that it uses. */
export interface CourseExport {
  bundle: Omit<CourseBundle, 'files'>
  fileIds: string[]
}

/**
 * Exports the content of a course for a bundle, without deleted items, people or progress. Also allowed with an expired
 * plan, so that a tenant can move its courses to another system. Refuses with forbidden, not_found.
 */
export async function describeCourse(tx: Tx, actor: Actor, courseId: string): Promise<CourseExport> {
  requireAllowed(canEditCourse(actor))
  const [courseRow] = await tx.select(settingsFields).from(course).where(eq(course.id, courseId))
  if (!courseRow) throw new Refusal('not_found')
  const modules = await loadModules(tx, courseId)
  const accessStart = courseRow.accessStart?.toISOString() ?? null
  const courseSettings: CourseSettings = {
    ...courseRow,
    accessStart,
    accessEnd: courseRow.accessEnd?.toISOString() ?? null,
  }
  const docs = modules.flatMap(({ lessons }) =>
    lessons.flatMap(({ blocks, published }) =>
      published && typeof published === 'object' ? [blocks, published.blocks] : [blocks],
    ),
  )
  if (courseRow.description) docs.push(courseRow.description)
  const fileIds = [...docs.flatMap(filesOf), courseRow.coverFileId, courseRow.promoVideoFileId].filter(
    (id) => id !== null,
  )
  const exportedAt = new Date().toISOString()
  return {
    bundle: { format: BUNDLE_FORMAT, version: BUNDLE_VERSION, exportedAt, course: courseSettings, modules },
    fileIds: [...new Set(fileIds)],
  }
}

/** Existing files for a bundle, with chapters and captions of videos. */
export async function describeFiles(tx: Tx, fileIds: readonly string[]): Promise<BundleFile[]> {
  if (fileIds.length === 0) return []
  const rows = await tx
    .select({ id: file.id, name: file.name, description: file.description, size: file.size, chapters: video.chapters })
    .from(file)
    .leftJoin(video, and(eq(video.tenantId, file.tenantId), eq(video.fileId, file.id)))
    .where(and(inArray(file.id, [...fileIds]), ne(file.kind, 'folder'), isNull(file.deletedAt)))
    .orderBy(asc(file.id))
  const captionRows = await tx
    .select({ fileId: caption.fileId, lang: caption.lang, text: caption.text, auto: caption.auto })
    .from(caption)
    .where(inArray(caption.fileId, [...fileIds]))
    .orderBy(asc(caption.lang))
  return rows.map(({ chapters, ...row }, index) => {
    const captions = captionRows.filter(({ fileId }) => fileId === row.id).map(({ fileId: _, ...caption }) => caption)
    return {
      ...row,
      path: `files/${String(index + 1).padStart(4, '0')}-${portableFileName(row.name.slice(-80))}`,
      ...(chapters?.length ? { chapters } : {}),
      ...(captions.length > 0 ? { captions } : {}),
    }
  })
}

const settingsFields = {
  title: course.title,
  shortDescription: course.shortDescription,
  description: course.description,
  category: course.category,
  tags: course.tags,
  language: course.language,
  level: course.level,
  progression: course.progression,
  startFrom: course.startFrom,
  accessStart: course.accessStart,
  accessEnd: course.accessEnd,
  lessonNumbering: course.lessonNumbering,
  seoTitle: course.seoTitle,
  seoDescription: course.seoDescription,
  estimatedMinutes: course.estimatedMinutes,
  homeworkSlaHours: course.homeworkSlaHours,
  coverFileId: course.coverFileId,
  promoVideoFileId: course.promoVideoFileId,
}

async function loadModules(tx: Tx, courseId: string): Promise<BundleModule[]> {
  const modules = await tx
    .select()
    .from(courseModule)
    .where(and(eq(courseModule.courseId, courseId), isNull(courseModule.deletedAt)))
    .orderBy(asc(courseModule.position), asc(courseModule.id))
  const lessons = await tx
    .select()
    .from(lesson)
    .where(and(eq(lesson.courseId, courseId), isNull(lesson.deletedAt)))
    .orderBy(asc(lesson.position), asc(lesson.id))
  const byModule = Map.groupBy(lessons, ({ moduleId }) => moduleId)
  return modules.map(({ id, title, description, availability, hidden }) => ({
    id,
    title,
    description,
    availability,
    hidden,
    lessons: (byModule.get(id) ?? []).map(toBundleLesson),
  }))
}

function toBundleLesson(row: typeof lesson.$inferSelect): BundleLesson {
  const { id, title, blocks, availability, completionRule, durationMinutes, freePreview, required, hidden } = row
  const publishedText = row.publishedBlocks && { title: row.publishedTitle ?? title, blocks: row.publishedBlocks }
  return {
    id,
    title,
    blocks,
    published: publishedText && (row.publishedVersion === row.version ? 'same' : publishedText),
    availability,
    completionRule,
    durationMinutes,
    freePreview,
    required,
    hidden,
  }
}
