import type { Actor } from '#lib/core/shared/actor.ts'
import { instantOfWallTime, isTimeZone } from '#lib/core/shared/time-zone.ts'
import { changeAccess, undoAccess } from '#lib/course/access/change-access.ts'
import { archiveGroup, createGroup, restoreGroup, updateGroup } from '#lib/course/access/group.ts'
import type { AccessAction } from '#lib/course/access/schema.ts'
import { idOf } from '../_id.ts'
import { textOf } from '../_transfer/posted.ts'

/** Form actions of the access tab; each returns the path to show next. */
export function accessActions(actor: Actor, courseId: string, here: URL) {
  const groups = `/course/edit/${courseId}?tab=access&part=groups`
  const pathWithMessage = (message: string, change?: string) => {
    const next = new URL(here)
    next.searchParams.set('said', message)
    next.searchParams.delete('change')
    if (change) next.searchParams.set('change', change)
    return next.pathname + next.search
  }
  const student = (form: FormData) => idOf(textOf(form, 'studentId'))
  const lesson = (form: FormData) => [idOf(textOf(form, 'lessonId'))]
  const change = async (form: FormData, action: AccessAction) => {
    const grantId = textOf(form, 'grantId')
    const target = { studentIds: [student(form)], ...(grantId ? { grantIds: [idOf(grantId)] } : {}) }
    const { changeId } = await changeAccess(actor, { courseId, target, change: action })
    return pathWithMessage('changed', changeId)
  }
  return {
    openLesson: (form: FormData) => change(form, { act: 'open', lessonIds: lesson(form) }),
    closeLesson: (form: FormData) => change(form, { act: 'close', lessonIds: lesson(form) }),
    asRules: (form: FormData) => change(form, { act: 'asRules', lessonIds: lesson(form) }),
    extendGrant: (form: FormData) =>
      change(form, { act: 'extend', until: parseInstant(textOf(form, 'until'), textOf(form, 'zone')) }),
    freezeGrant: (form: FormData) => change(form, { act: 'freeze', from: null, to: null }),
    unfreezeGrant: (form: FormData) => change(form, { act: 'unfreeze' }),
    revokeGrant: (form: FormData) => change(form, { act: 'revoke' }),
    giveAccess: (form: FormData) => change(form, { act: 'give', until: null, moduleIds: null }),
    undoAccess: async (form: FormData) => {
      await undoAccess(actor, { changeId: idOf(textOf(form, 'changeId')) })
      return pathWithMessage('undone')
    },

    createGroup: async (form: FormData) => {
      await createGroup(actor, { courseId, ...readGroup(form) })
      return `${groups}&said=group`
    },
    updateGroup: async (form: FormData) => {
      await updateGroup(actor, { groupId: idOf(textOf(form, 'groupId')), ...readGroup(form) })
      return `${groups}&said=group`
    },
    archiveGroup: async (form: FormData) => {
      await archiveGroup(actor, { groupId: idOf(textOf(form, 'groupId')) })
      return `${groups}&said=archived`
    },
    restoreGroup: async (form: FormData) => {
      await restoreGroup(actor, { groupId: idOf(textOf(form, 'groupId')) })
      return `${groups}&said=restored`
    },
  }
}

function readGroup(form: FormData) {
  const timeZone = textOf(form, 'timeZone')
  const end = textOf(form, 'endAt')
  return {
    name: textOf(form, 'name'),
    timeZone,
    startAt: parseInstant(textOf(form, 'startAt'), timeZone),
    endAt: end === '' ? null : parseInstant(end, timeZone),
  }
}

/** Parses the local time of a field; an invalid value is returned unchanged and refused by the schema. */
function parseInstant(typed: string, zone: string): string {
  // Date.parse accepts shorter strings: an empty field would be the year 2000.
  const wallTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(typed) ? Date.parse(`${typed}:00Z`) : Number.NaN
  return Number.isNaN(wallTime) || !isTimeZone(zone) ? typed : instantOfWallTime(wallTime, zone).toISOString()
}
