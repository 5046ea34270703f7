import { readInstant } from '#lib/core/http/form-date.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { changeAccess, undoAccess } from '#lib/course/access/change-access.ts'
import type { AccessAction } from '#lib/course/access/schema.ts'
import { ChangeAccess } from '#lib/course/access/schema.ts'
import { formText } from '../../_request/form-actions.ts'
import { parseId } from '../../_request/id-param.ts'

/** Form actions of the access tab; each returns the path to show next. */
export function accessActions(actor: Actor, courseId: string, here: URL) {
  const pathWithMessage = (message: string, change?: string) => {
    const next = new URL(here)
    next.searchParams.set('notice', message)
    next.searchParams.delete('change')
    if (change) next.searchParams.set('change', change)
    return next.pathname + next.search
  }
  const student = (form: FormData) => parseId(formText(form, 'studentId'))
  const lesson = (form: FormData) => [parseId(formText(form, 'lessonId'))]
  const change = async (form: FormData, action: AccessAction) => {
    const grantId = formText(form, 'grantId')
    const target = { studentIds: [student(form)], ...(grantId ? { grantIds: [parseId(grantId)] } : {}) }
    const { changeId } = await changeAccess(actor, ChangeAccess.parse({ courseId, target, change: action }))
    return pathWithMessage('changed', changeId)
  }
  return {
    openLesson: (form: FormData) => change(form, { action: 'open', lessonIds: lesson(form) }),
    closeLesson: (form: FormData) => change(form, { action: 'close', lessonIds: lesson(form) }),
    asRules: (form: FormData) => change(form, { action: 'asRules', lessonIds: lesson(form) }),
    extendGrant: (form: FormData) =>
      change(form, { action: 'extend', until: readInstant(form, 'until', formText(form, 'zone')) ?? '' }),
    freezeGrant: (form: FormData) => change(form, { action: 'freeze', from: null, to: null }),
    unfreezeGrant: (form: FormData) => change(form, { action: 'unfreeze' }),
    revokeGrant: (form: FormData) => change(form, { action: 'revoke' }),
    giveAccess: (form: FormData) => change(form, { action: 'give', until: null, moduleIds: null }),
    undoAccess: async (form: FormData) => {
      await undoAccess(actor, { changeId: parseId(formText(form, 'changeId')) })
      return pathWithMessage('undone')
    },
  }
}
