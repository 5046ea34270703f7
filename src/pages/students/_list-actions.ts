import { readDay } from '#lib/core/http/form-date.ts'
import { nullIfRefused } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { instantOf } from '#lib/core/shared/time-zone.ts'
import { createGroup } from '#lib/course/group/group.ts'
import { CreateGroup } from '#lib/course/group/schema.ts'
import { confirmBulkJob, createBulkJob } from '#lib/student/bulk/bulk.ts'
import { CreateBulkJob } from '#lib/student/bulk/schema.ts'
import { SaveView } from '#lib/student/list/schema.ts'
import { deleteView, saveView } from '#lib/student/list/views.ts'
import { createStudentMessage } from '#lib/student/message/message.ts'
import { CreateStudentMessage } from '#lib/student/message/schema.ts'
import { InviteStudent } from '#lib/student/schema.ts'
import { inviteStudent, resendStudentInvitation, revokeInvitation } from '#lib/student/student.ts'
import { formText } from '../_request/form-actions.ts'
import { parseId } from '../_request/id-param.ts'
import { groupAddress } from '../group/_group-address.ts'
import { readGroupFields } from '../group/_group-fields.ts'
import { readListInput, toStudentFilter, viewQuery } from './_list-query.ts'
import { messagePath } from './_outbox-actions.ts'

/** Form actions of the list of students; each returns the path to show next. */
export function listStudentActions(actor: Actor, here: URL) {
  const view = viewQuery(here.searchParams)
  const list = view.size > 0 ? `/students?${view}` : '/students'
  const jobPath = (jobId: string) => `/students?job=${jobId}`
  return {
    invite: async (form: FormData) => {
      const fields = ['email', 'lastName', 'firstName', 'patronymic'] as const
      const typed = Object.fromEntries(fields.map((name) => [name, formText(form, name)]))
      await inviteStudent(actor, InviteStudent.parse(typed))
      return '/students?notice=invited'
    },
    resendInvitation: async (form: FormData) => {
      await resendStudentInvitation(actor, { studentId: parseId(formText(form, 'studentId')) })
      return '/students?tab=invitations&notice=resent'
    },
    revokeInvitation: async (form: FormData) => {
      await revokeInvitation(actor, { studentId: parseId(formText(form, 'studentId')) })
      return '/students?tab=invitations&notice=revoked'
    },
    createGroup: async (form: FormData) => {
      const { groupId } = await createGroup(
        actor,
        CreateGroup.parse({
          courseId: parseId(formText(form, 'courseId')),
          groupId: parseId(formText(form, 'groupId')),
          ...readGroupFields(form),
        }),
      )
      return groupAddress(`/group/${groupId}`, { notice: 'created' })
    },
    saveView: async (form: FormData) => {
      await saveView(actor, SaveView.parse({ name: formText(form, 'name'), query: view.toString() }))
      return list
    },
    deleteView: async (form: FormData) => {
      // After a double click the view is already deleted.
      await deleteView(actor, { viewId: parseId(formText(form, 'viewId')) }).catch(nullIfRefused)
      return list
    },
    /** The step with the parameters of the action; it has its own URL. */
    bulk: async (form: FormData) => {
      const query = new URLSearchParams(view)
      query.set('bulk', formText(form, 'bulk'))
      if (form.get('all')) query.set('all', '1')
      else for (const id of form.getAll('studentId')) query.append('id', String(id))
      return `/students?${query}`
    },
    /** Emails and invitations become drafts in the outbox. */
    compose: async (form: FormData) => {
      const { messageId } = await createStudentMessage(
        actor,
        CreateStudentMessage.parse({
          ...Object.fromEntries(form),
          messageId: formText(form, 'jobId'),
          action: here.searchParams.get('bulk'),
          target: listTarget(here.searchParams),
        }),
      )
      return messagePath(messageId)
    },
    start: async (form: FormData) => {
      const params = here.searchParams
      const target = listTarget(params)
      const change = {
        ...Object.fromEntries(form),
        action: params.get('bulk'),
        until: endOfDay(form, 'until', actor.tenantTimeZone),
      }
      const input = CreateBulkJob.parse({ jobId: parseId(formText(form, 'jobId')), target, change })
      return jobPath((await createBulkJob(actor, input)).jobId)
    },
    confirm: async (form: FormData) =>
      jobPath((await confirmBulkJob(actor, { jobId: parseId(formText(form, 'jobId')) })).jobId),
  }
}

/** The students of the step: those of the filter, or the selected ones. */
function listTarget(params: URLSearchParams) {
  return params.get('all') === '1'
    ? { filter: toStudentFilter(readListInput(params)) }
    : { studentIds: params.getAll('id').map(parseId) }
}

/** The end of the selected day in the school's zone; null for an empty field. */
function endOfDay(form: FormData, name: string, zone: string): string | null {
  const day = readDay(form, name, zone)
  return day && instantOf(day, '23:59', zone).toISOString()
}
