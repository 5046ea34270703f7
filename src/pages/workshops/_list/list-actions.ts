import type { Actor } from '#lib/core/shared/actor.ts'
import { SomeWorkshops } from '#lib/workshop/schema.ts'
import { archiveWorkshops, deleteWorkshops, restoreWorkshops, undoDelete } from '#lib/workshop/settings/end.ts'
import { FILTERS } from './filters.ts'

/** Bulk actions of the list of events; each returns the path to show next, with the same filter. */
export function createListActions(actor: Actor, here: URL) {
  const chosen = (form: FormData) => ({ workshopIds: form.getAll('workshopId').map(String) })
  const back = (notice: string, ids: readonly string[]) => {
    const query = new URLSearchParams()
    for (const name of [...FILTERS, 'archived']) {
      const value = here.searchParams.get(name)
      if (value) query.set(name, value)
    }
    query.set('notice', notice)
    for (const id of ids) query.append('id', id)
    return `/workshops?${query}`
  }
  return {
    archive: async (form: FormData) =>
      back('archived', (await archiveWorkshops(actor, SomeWorkshops.parse(chosen(form)))).archived),
    restore: async (form: FormData) =>
      back('restored', (await restoreWorkshops(actor, SomeWorkshops.parse(chosen(form)))).restored),
    delete: async (form: FormData) =>
      back('deleted', (await deleteWorkshops(actor, SomeWorkshops.parse(chosen(form)))).deleted),
    undoArchive: async (form: FormData) =>
      back('undone', (await restoreWorkshops(actor, SomeWorkshops.parse(chosen(form)))).restored),
    undoDelete: async (form: FormData) =>
      back('undone', (await undoDelete(actor, SomeWorkshops.parse(chosen(form)))).restored),
  }
}
