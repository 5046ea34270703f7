import type { Actor } from '#lib/core/shared/actor.ts'
import { archiveCourses, duplicateCourses, restoreCourses, undoArchive } from '#lib/course/archive.ts'
import { copyTasks } from '#lib/homework/task/copy.ts'

/** What the list of courses does with several at once; each gives the path to show next, with the same filter. */
export function listActs(actor: Actor, here: URL) {
  const chosen = (form: FormData) => ({ courseIds: form.getAll('courseId').map(String) })
  const back = (said: string, more: readonly (readonly [string, string])[]) => {
    const query = new URLSearchParams()
    for (const name of ['status', 'q']) {
      const value = here.searchParams.get(name)
      if (value) query.set(name, value)
    }
    query.set('said', said)
    for (const [name, value] of more) query.append(name, value)
    return `/courses?${query}`
  }
  return {
    archive: async (form: FormData) => {
      const { drafts, published } = await archiveCourses(actor, chosen(form))
      const named = (name: string, ids: readonly string[]) => ids.map((id) => [name, id] as const)
      return back('archived', [...named('draft', drafts), ...named('published', published)])
    },
    restore: async (form: FormData) => {
      const { restored } = await restoreCourses(actor, chosen(form))
      return back('restored', [['count', String(restored)]])
    },
    duplicate: async (form: FormData) => {
      const { copies } = await duplicateCourses(actor, chosen(form), copyTasks)
      return back('copied', [['count', String(copies)]])
    },
    undoArchive: async (form: FormData) => {
      const ids = (name: string) => form.getAll(name).map(String)
      const { restored } = await undoArchive(actor, { drafts: ids('draft'), published: ids('published') })
      return back('undone', [['count', String(restored)]])
    },
  }
}
