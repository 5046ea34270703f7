import type { Actor } from '#lib/core/shared/actor.ts'
import { getLesson } from '#lib/course/lesson/lesson.ts'
import { nameRevision } from '#lib/course/lesson/revision.ts'
import { saveLesson } from '#lib/course/lesson/save.ts'
import type { ImportedCourse } from './import-course.ts'

const ADDED = 'Додано після репетиції: перше питання краще поставити тому, хто вже усміхається.'

/** A lesson with revisions: a named one, and later changes. */
export async function keepVersions(author: Actor, { lessonIds }: Pick<ImportedCourse, 'lessonIds'>): Promise<void> {
  const [lessonId] = lessonIds
  if (!lessonId) return
  const { version, blocks } = await getLesson(author, { lessonId })
  await nameRevision(author, { lessonId, version, note: 'Перша редакція' })
  const insert = [{ type: 'paragraph', content: [{ type: 'text', text: ADDED }] }]
  await saveLesson(author, { lessonId, version, change: { at: blocks.content.length, remove: 0, insert } })
}
