import { eq } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { countWords, EMPTY_DOC, LessonDoc } from '#lib/core/shared/lesson-doc.ts'
import { beginCourse } from '../access/course-start.ts'
import { noteLessons } from '../lesson/pictures.ts'
import { recountLessons } from '../outline/lesson-counts.ts'
import { mustEdit } from '../permission.ts'
import { updateCourse } from '../settings.ts'
import { courseModule, lesson } from '../table.ts'
import type { BundleLesson, BundleModule } from './bundle-schema.ts'
import type { Incoming, Notes } from './incoming.ts'
import { type NewIds, replaced } from './incoming-doc.ts'

/** PostgreSQL takes 65,535 values in a statement. */
const AT_ONCE = 200

export interface WrittenCourse {
  courseId: string
  /** The lesson's id in the bundle to its id here. */
  lessons: Map<string, string>
}

/**
 * Writes an incoming course as this person would by hand: a draft, all of it or nothing. Its files are in the storage
 * already. Refuses with forbidden, plan_inactive, unprocessable when the plan's number of courses is used up.
 */
export function writeCourse(actor: Actor, incoming: Incoming, ids: NewIds, notes: Notes): Promise<WrittenCourse> {
  return inTenant(actor, async (tx) => {
    const { title, description, coverFileId, promoVideoFileId, ...settings } = incoming.course
    mustEdit(actor)
    const { courseId } = await beginCourse(tx, actor, { title, language: settings.language ?? actor.locale })
    const fileIdOf = (id: string | null | undefined, kind: string) => {
      const file = id ? ids.files.get(id) : undefined
      return file?.kind === kind ? file.fileId : null
    }
    await updateCourse(actor, {
      ...settings,
      courseId,
      description: description ? replaced(description, ids) : null,
      coverFileId: fileIdOf(coverFileId, 'image'),
      promoVideoFileId: fileIdOf(promoVideoFileId, 'video'),
    })
    const lessons = await writeModules(tx, { actor, courseId, ids, notes }, incoming.modules)
    await recountLessons(tx, courseId)
    await noteLessons(tx, actor, eq(lesson.courseId, courseId))
    return { courseId, lessons }
  })
}

interface Writing {
  actor: Actor
  courseId: string
  ids: NewIds
  notes: Notes
}

async function writeModules(tx: Tx, writing: Writing, modules: readonly BundleModule[]): Promise<Map<string, string>> {
  const { tenantId } = writing.actor
  const lessonIds = new Map<string, string>()
  for (const [position, { id: _, lessons, ...module }] of modules.entries()) {
    const moduleId = newId()
    await tx.insert(courseModule).values({ ...module, tenantId, id: moduleId, courseId: writing.courseId, position })
    const rows = lessons.map((one, place) => {
      const row = lessonRow(writing, one, { moduleId, position: place })
      lessonIds.set(one.id, row.id)
      return row
    })
    for (let at = 0; at < rows.length; at += AT_ONCE) await tx.insert(lesson).values(rows.slice(at, at + AT_ONCE))
  }
  return lessonIds
}

function lessonRow(writing: Writing, one: BundleLesson, place: { moduleId: string; position: number }) {
  const { id: _, published, blocks, ...settings } = one
  const { actor, courseId, ids } = writing
  const draft = fitting(writing, one.title, replaced(blocks, ids))
  const read = published && typeof published === 'object' ? published : null
  const same = published === 'same'
  return {
    ...settings,
    ...place,
    tenantId: actor.tenantId,
    id: ids.lessons.get(one.id) ?? newId(),
    courseId,
    updatedBy: actor.membershipId,
    blocks: draft,
    words: countWords(draft),
    // What students read behind the draft is one version older.
    version: read ? 2 : 1,
    publishedVersion: published ? 1 : null,
    publishedAt: published ? new Date() : null,
    publishedTitle: read?.title ?? (same ? one.title : null),
    publishedBlocks: read ? fitting(writing, read.title, replaced(read.blocks, ids)) : same ? draft : null,
  }
}

/** A text that is longer than a lesson may be loses its end. Whatever a reader built that no lesson can hold goes too. */
function fitting({ notes }: Writing, title: string, doc: LessonDoc): LessonDoc {
  if (LessonDoc.safeParse(doc).success) return doc
  notes.add('shortened', title)
  const sound = doc.content.filter((node) => LessonDoc.safeParse({ type: 'doc', content: [node] }).success)
  let [least, most] = [0, sound.length]
  while (least < most) {
    const middle = Math.ceil((least + most) / 2)
    if (LessonDoc.safeParse({ type: 'doc', content: sound.slice(0, middle) }).success) least = middle
    else most = middle - 1
  }
  return least > 0 ? { type: 'doc', content: sound.slice(0, least) } : EMPTY_DOC
}
