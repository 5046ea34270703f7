import { nullIfRefused } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { instantOf } from '#lib/core/shared/time-zone.ts'
import { confirmBulkJob, createBulkJob, recallBulkEmails } from '#lib/student/bulk/bulk.ts'
import { BulkChange } from '#lib/student/bulk/schema.ts'
import { deleteView, saveView } from '#lib/student/list/views.ts'
import { InviteStudent } from '#lib/student/schema.ts'
import { inviteStudent } from '#lib/student/student.ts'
import { idOf } from '../course/_id.ts'
import { textOf } from '../course/_transfer/posted.ts'
import { filterOf, readListInput, viewQuery } from './_list-query.ts'

/** Form actions of the list of students; each returns the path to show next. */
export function listActions(actor: Actor, here: URL) {
  const view = viewQuery(here.searchParams)
  const list = view.size > 0 ? `/students?${view}` : '/students'
  const jobPath = (jobId: string) => `/students?job=${jobId}`
  return {
    invite: async (form: FormData) => {
      await inviteStudent(actor, InviteStudent.parse({ email: textOf(form, 'email'), name: textOf(form, 'name') }))
      return '/students?said=invited'
    },
    saveView: async (form: FormData) => {
      await saveView(actor, { name: textOf(form, 'name'), query: view.toString() })
      return list
    },
    deleteView: async (form: FormData) => {
      // A second click finds the view deleted already.
      await deleteView(actor, { viewId: idOf(textOf(form, 'viewId')) }).catch(nullIfRefused)
      return list
    },
    /** The step in which the action's parameters are given; it has an address of its own. */
    bulk: async (form: FormData) => {
      const query = new URLSearchParams(view)
      query.set('bulk', textOf(form, 'bulk'))
      if (form.get('all')) query.set('all', '1')
      else for (const id of form.getAll('studentId')) query.append('id', String(id))
      return `/students?${query}`
    },
    start: async (form: FormData) => {
      const params = here.searchParams
      const target =
        params.get('all') === '1'
          ? { filter: filterOf(readListInput(params)) }
          : { studentIds: params.getAll('id').map(idOf) }
      const change = BulkChange.parse({
        ...Object.fromEntries(form),
        action: params.get('bulk'),
        until: endOfDay(textOf(form, 'until'), actor.tenantTimeZone),
      })
      return jobPath((await createBulkJob(actor, { jobId: idOf(textOf(form, 'jobId')), target, change })).jobId)
    },
    confirm: async (form: FormData) =>
      jobPath((await confirmBulkJob(actor, { jobId: idOf(textOf(form, 'jobId')) })).jobId),
    recall: async (form: FormData) => {
      const jobId = idOf(textOf(form, 'jobId'))
      await recallBulkEmails(actor, { jobId })
      return jobPath(jobId)
    },
  }
}

/** The end of a day of the school; null for an empty field. What is no day is returned for the schema to refuse. */
function endOfDay(day: string, zone: string): string | null {
  if (day === '') return null
  const isDay = /^\d{4}-\d\d-\d\d$/.test(day) && !Number.isNaN(Date.parse(day))
  return isDay ? instantOf(day, '23:59', zone).toISOString() : day
}
