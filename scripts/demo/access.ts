import type { Actor } from '#lib/core/shared/actor.ts'
import { instantOf, localDay } from '#lib/core/shared/time-zone.ts'
import { changeAccess } from '#lib/course/access/change-access.ts'
import { getMatrix } from '#lib/course/access/matrix.ts'
import { ChangeAccess, GetMatrix } from '#lib/course/access/schema.ts'
import { createGroup } from '#lib/course/group/group.ts'
import { addToGroup } from '#lib/course/group/members.ts'

const KYIV = 'Europe/Kyiv'
const MEMBERS = ['roman.yatsenko', 'liliia.sydorenko', 'zoriana.kuz']

/** A current group and a future one, a freeze, and a lesson opened manually, for the access tab. */
export async function openAccess(author: Actor, courseId: string): Promise<void> {
  const day = (days: number, time: string) => instantOf(localDay(new Date(), KYIV, days), time, KYIV).toISOString()
  const dates = { startAt: day(-10, '09:00'), endAt: day(60, '23:59'), timeZone: KYIV }
  const { groupId } = await createGroup(author, { courseId, name: 'Осіння група', seats: 12, color: 'blue', ...dates })
  const later = { startAt: day(50, '09:00'), endAt: null, timeZone: KYIV }
  await createGroup(author, { courseId, name: 'Зимова група', seats: 12, color: 'green', ...later })
  const { rows, lessons } = await getMatrix(author, GetMatrix.parse({ courseId }))
  const studentOf = (name: string) => rows.find(({ email }) => email.startsWith(name))?.studentId ?? ''
  for (const name of MEMBERS) await addToGroup(author, { groupId, studentId: studentOf(name) })
  const frozen = { action: 'freeze', from: null, to: day(7, '00:00') } as const
  await changeAccess(
    author,
    ChangeAccess.parse({ courseId, target: { studentIds: [studentOf('vasyl.hrytsenko')] }, change: frozen }),
  )
  const [last] = lessons.slice(-1)
  const opened = { action: 'open', lessonIds: last ? [last.id] : null } as const
  const note = 'Просила подивитися наперед.'
  await changeAccess(author, { courseId, target: { studentIds: [studentOf('kateryna.moroz')] }, change: opened, note })
}
