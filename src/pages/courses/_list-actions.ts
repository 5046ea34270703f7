import type { Actor } from '#lib/core/shared/actor.ts'
import { archiveCourses, duplicateCourses, restoreCourses, undoArchive } from '#lib/course/archive.ts'
import { CourseIds } from '#lib/course/settings-schema.ts'
import { copyTasks } from '#lib/homework/task/copy.ts'
import { copyTests } from '#lib/quiz/copy-quizzes.ts'

/** Form actions of the course list; each returns the path to show next, with the same filter. */
export function listCourseActions(actor: Actor, here: URL) {
  const selectedIds = (form: FormData) => ({ courseIds: form.getAll('courseId').map(String) })
  const pathTo = (message: string, parameters: readonly (readonly [string, string])[]) => {
    const query = new URLSearchParams()
    for (const name of ['status', 'q']) {
      const value = here.searchParams.get(name)
      if (value) query.set(name, value)
    }
    query.set('notice', message)
    for (const [name, value] of parameters) query.append(name, value)
    return `/courses?${query}`
  }
  return {
    archive: async (form: FormData) => {
      const { drafts, published } = await archiveCourses(actor, CourseIds.parse(selectedIds(form)))
      const withName = (name: string, ids: readonly string[]) => ids.map((id) => [name, id] as const)
      return pathTo('archived', [...withName('draft', drafts), ...withName('published', published)])
    },
    restore: async (form: FormData) => {
      const { restored } = await restoreCourses(actor, CourseIds.parse(selectedIds(form)))
      return pathTo('restored', [['count', String(restored)]])
    },
    duplicate: async (form: FormData) => {
      const { copies } = await duplicateCourses(actor, CourseIds.parse(selectedIds(form)), { copyTasks, copyTests })
      return pathTo('copied', [['count', String(copies)]])
    },
    undoArchive: async (form: FormData) => {
      const ids = (name: string) => form.getAll(name).map(String)
      const { restored } = await undoArchive(actor, { drafts: ids('draft'), published: ids('published') })
      return pathTo('undone', [['count', String(restored)]])
    },
  }
}
