import type { Locale } from '#lib/core/shared/locale.ts'
import type { Strings } from '#lib/core/shared/text/strings.ts'
import { atWall } from '#lib/core/shared/zone.ts'
import type { AccessAct, AccessActName, Whom } from '#lib/course/access/schema.ts'

export interface Picked {
  students: string[]
  lessons: string[]
}

export interface DeskProps {
  courseId: string
  /** Days are chosen in the school's zone. */
  zone: string
  groups: { id: string; name: string }[]
  /** The group that the page is filtered by: it can be acted on as a whole. */
  group: { id: string; name: string } | null
  strings: Strings
  locale: Locale
  picked: Picked
  onClear: () => void
}

/** What is chosen on the desk, as typed. */
export interface Chosen {
  act: AccessActName
  /** All students of the group instead of those ticked. */
  wholeGroup: boolean
  days: string
  from: string
  to: string
  groupId: string
  note: string
}

export const ACTS: readonly AccessActName[] = [
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

export const BEGIN: Chosen = {
  act: 'open',
  wholeGroup: false,
  days: '7',
  from: '',
  to: '',
  groupId: '',
  note: '',
}

export const aboutLessons = (act: AccessActName): boolean =>
  act === 'open' || act === 'close' || act === 'shift' || act === 'asRules'

/** What is asked of the server; null while something that it needs is not chosen. */
export function askedOf(chosen: Chosen, picked: Picked, group: DeskProps['group'], zone: string) {
  const whom: Whom = chosen.wholeGroup && group ? { groupId: group.id } : { studentIds: picked.students }
  const change = changeOf(chosen, picked, zone)
  if (!change || ('studentIds' in whom && whom.studentIds.length === 0)) return null
  return { whom, change, note: chosen.note }
}

function changeOf(chosen: Chosen, { lessons }: Picked, zone: string): AccessAct | null {
  const lessonIds = lessons.length > 0 ? lessons : null
  const at = (typed: string) => (typed === '' ? null : instantAt(typed, zone))
  switch (chosen.act) {
    case 'open':
    case 'close':
    case 'asRules':
      return { act: chosen.act, lessonIds }
    case 'shift': {
      const days = Number(chosen.days)
      return Number.isInteger(days) && days !== 0 ? { act: 'shift', lessonIds, days } : null
    }
    case 'freeze':
      return { act: 'freeze', from: at(chosen.from), to: at(chosen.to) }
    case 'extend':
      return { act: 'extend', until: at(chosen.to) }
    case 'give':
      return { act: 'give', until: at(chosen.to), moduleIds: null }
    case 'addToGroup':
      return chosen.groupId === '' ? null : { act: 'addToGroup', groupId: chosen.groupId }
    case 'unfreeze':
    case 'revoke':
      return { act: chosen.act }
  }
}

/** A field's `2026-10-25T09:00` as the instant at which the clocks of a zone show it. */
export function instantAt(typed: string, zone: string): string {
  return atWall(Date.parse(`${typed}:00Z`), zone).toISOString()
}
