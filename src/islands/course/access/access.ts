import type { Locale } from '#lib/core/shared/locale.ts'
import type { Strings } from '#lib/core/shared/text/strings.ts'
import { instantOfWallTime } from '#lib/core/shared/time-zone.ts'
import type { AccessAction, AccessActionName, AccessTarget } from '#lib/course/access/schema.ts'

export interface AccessSelection {
  students: string[]
  lessons: string[]
}

export interface AccessPanelProps {
  courseId: string
  /** Dates are entered in the tenant's time zone. */
  zone: string
  groups: { id: string; name: string }[]
  /** The group that filters the page: an action can apply to the whole group. */
  group: { id: string; name: string } | null
  strings: Strings
  locale: Locale
  selection: AccessSelection
  onClear: () => void
}

/** The actions of the panel; members of a group are moved and removed on its page. */
export type PanelAction = Exclude<AccessActionName, 'moveToGroup' | 'removeFromGroup'>

/** Values of the panel's fields, as typed. */
export interface AccessForm {
  action: PanelAction
  /** Applies to all students of the group instead of the selected ones. */
  wholeGroup: boolean
  days: string
  from: string
  to: string
  groupId: string
  note: string
}

export const ACCESS_ACTIONS: readonly PanelAction[] = [
  'open',
  'close',
  'shift',
  'asRules',
  'extend',
  'freeze',
  'unfreeze',
  'addToGroup',
  'give',
  'revoke',
]

export const INITIAL_FORM: AccessForm = {
  action: 'open',
  wholeGroup: false,
  days: '7',
  from: '',
  to: '',
  groupId: '',
  note: '',
}

export const isLessonAction = (action: PanelAction): boolean =>
  action === 'open' || action === 'close' || action === 'shift' || action === 'asRules'

/** The request to the server; null while a required field is empty. */
export function buildRequest(
  form: AccessForm,
  selection: AccessSelection,
  group: AccessPanelProps['group'],
  zone: string,
) {
  const target: AccessTarget = form.wholeGroup && group ? { groupId: group.id } : { studentIds: selection.students }
  const change = buildChange(form, selection, zone)
  if (!change || ('studentIds' in target && target.studentIds.length === 0)) return null
  return { target: target, change, note: form.note }
}

function buildChange(form: AccessForm, { lessons }: AccessSelection, zone: string): AccessAction | null {
  const lessonIds = lessons.length > 0 ? lessons : null
  const toInstant = (typed: string) => (typed === '' ? null : instantInZone(typed, zone))
  switch (form.action) {
    case 'open':
    case 'close':
    case 'asRules':
      return { action: form.action, lessonIds }
    case 'shift': {
      const days = Number(form.days)
      return Number.isInteger(days) && days !== 0 ? { action: 'shift', lessonIds, days } : null
    }
    case 'freeze':
      return { action: 'freeze', from: toInstant(form.from), to: toInstant(form.to) }
    case 'extend':
      return { action: 'extend', until: toInstant(form.to) }
    case 'give':
      return { action: 'give', until: toInstant(form.to), moduleIds: null }
    case 'addToGroup':
      return form.groupId === '' ? null : { action: 'addToGroup', groupId: form.groupId }
    case 'unfreeze':
    case 'revoke':
      return { action: form.action }
  }
}

/** Converts the local time of a field (`2026-10-25T09:00`) in a zone to an ISO instant. */
function instantInZone(typed: string, zone: string): string {
  return instantOfWallTime(Date.parse(`${typed}:00Z`), zone).toISOString()
}
