import { eq } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { countWords, EMPTY_DOC, LessonDoc } from '#lib/core/shared/lesson-doc.ts'
import { insertCourse } from '../insert-course.ts'
import { attachLessonFiles } from '../lesson/pictures.ts'
import { recountLessons } from '../outline/lesson-counts.ts'
import { requireCourseEditor } from '../permission.ts'
import { updateCourse } from '../settings.ts'
import { UpdateCourse } from '../settings-schema.ts'
import { courseModule, lesson } from '../table.ts'
import type { BundleLesson, BundleModule } from './bundle-schema.ts'
import type { ImportedCourse, ImportNotes } from './imported-course.ts'
import { type NewIds, replaceIds } from './replace-ids.ts'

/** PostgreSQL accepts 65,535 parameters in a statement. */
const INSERT_BATCH_SIZE = 200

export interface WrittenCourse {
  courseId: string
  /** Lesson id by its id in the import. */
  lessons: Map<string, string>
}

/**
 * Writes an imported course as a draft in one transaction. Its files are already stored. Refuses with forbidden,
 * plan_inactive, unprocessable when the plan's number of courses is used up; `requireCoursesFit` has to follow at the end.
 */
export function writeCourse(
  actor: Actor,
  incoming: ImportedCourse,
  ids: NewIds,
  notes: ImportNotes,
): Promise<WrittenCourse> {
  return inTenant(actor, async (tx) => {
    const { title, description, coverFileId, promoVideoFileId, ...settings } = incoming.course
    requireCourseEditor(actor)
    const { courseId } = await insertCourse(tx, actor, { title, language: settings.language ?? actor.locale })
    const fileIdOf = (id: string | null | undefined, kind: string) => {
      const file = id ? ids.files.get(id) : undefined
      return file?.kind === kind ? file.fileId : null
    }
    // The output of the readers is validated here.
    const courseSettings = UpdateCourse.parse({
      ...settings,
      courseId,
      description: description ? replaceIds(description, ids) : null,
      coverFileId: fileIdOf(coverFileId, 'image'),
      promoVideoFileId: fileIdOf(promoVideoFileId, 'video'),
    })
    await updateCourse(actor, courseSettings)
    const lessons = await writeModules(tx, { actor, courseId, ids, notes }, incoming.modules)
    await recountLessons(tx, courseId)
    await attachLessonFiles(tx, actor, eq(lesson.courseId, courseId))
    return { courseId, lessons }
  })
}

interface WriteContext {
  actor: Actor
  courseId: string
  ids: NewIds
  notes: ImportNotes
}

async function writeModules(
  tx: Tx,
  context: WriteContext,
  modules: readonly BundleModule[],
): Promise<Map<string, string>> {
  const { tenantId } = context.actor
  const lessonIds = new Map<string, string>()
  for (const [position, { id: _, lessons, ...module }] of modules.entries()) {
    const moduleId = newId()
    await tx.insert(courseModule).values({ ...module, tenantId, id: moduleId, courseId: context.courseId, position })
    const rows = lessons.map((bundleLesson, position) => {
      const row = toLessonRow(context, bundleLesson, { moduleId, position: position })
      lessonIds.set(bundleLesson.id, row.id)
      return row
    })
    for (let start = 0; start < rows.length; start += INSERT_BATCH_SIZE)
      await tx.insert(lesson).values(rows.slice(start, start + INSERT_BATCH_SIZE))
  }
  return lessonIds
}

function toLessonRow(
  context: WriteContext,
  bundleLesson: BundleLesson,
  position: { moduleId: string; position: number },
) {
  const { id: _, published, blocks, ...settings } = bundleLesson
  const { actor, courseId, ids } = context
  const draft = truncateToLimits(context, bundleLesson.title, replaceIds(blocks, ids))
  const publishedText = published && typeof published === 'object' ? published : null
  const isUnchanged = published === 'same'
  return {
    ...settings,
    ...position,
    tenantId: actor.tenantId,
    id: ids.lessons.get(bundleLesson.id) ?? newId(),
    courseId,
    updatedBy: actor.membershipId,
    blocks: draft,
    words: countWords(draft),
    // A published text that differs from the draft is one version older.
    version: publishedText ? 2 : 1,
    publishedVersion: published ? 1 : null,
    publishedAt: published ? new Date() : null,
    publishedTitle: publishedText?.title ?? (isUnchanged ? bundleLesson.title : null),
    publishedBlocks: publishedText
      ? truncateToLimits(context, publishedText.title, replaceIds(publishedText.blocks, ids))
      : isUnchanged
        ? draft
        : null,
  }
}

/** Truncates a document to the limits of a lesson. Nodes that the schema rejects are removed. */
function truncateToLimits({ notes }: WriteContext, title: string, doc: LessonDoc): LessonDoc {
  if (LessonDoc.safeParse(doc).success) return doc
  notes.add('shortened', title)
  const validNodes = doc.content.filter((node) => LessonDoc.safeParse({ type: 'doc', content: [node] }).success)
  let [longest, shortestInvalid] = [0, validNodes.length]
  while (longest < shortestInvalid) {
    const middle = Math.ceil((longest + shortestInvalid) / 2)
    if (LessonDoc.safeParse({ type: 'doc', content: validNodes.slice(0, middle) }).success) longest = middle
    else shortestInvalid = middle - 1
  }
  return longest > 0 ? { type: 'doc', content: validNodes.slice(0, longest) } : EMPTY_DOC
}
