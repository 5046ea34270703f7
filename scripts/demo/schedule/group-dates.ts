import type { Actor } from '#lib/core/shared/actor.ts'
import { instantOf, localDay } from '#lib/core/shared/time-zone.ts'
import { getMatrix } from '#lib/course/access/matrix.ts'
import { GetMatrix } from '#lib/course/access/schema.ts'
import { createGroup } from '#lib/course/group/group.ts'
import { changeMembers } from '#lib/course/group/members.ts'
import { changeLessons } from '#lib/course/outline/bulk-change.ts'
import { addTask, listTasks, saveTask } from '#lib/homework/task/task.ts'
import { setOverride } from '#lib/quiz/overrides.ts'
import { SetOverride } from '#lib/quiz/schema.ts'
import type { ImportedCourse } from '../import-course.ts'

const ZONE = 'Europe/Kyiv'
const MEMBERS = ['bohdan.marchenko', 'sofiia.oliinyk', 'kateryna.moroz']
/** Of the group, in days before today. */
const STARTED = 8

/**
 * A study group whose last lesson opens tomorrow, with a homework deadline and the end of a test on the following days: the
 * dates of a course in the schedule, which staff can move.
 */
export async function addGroupDates(
  author: Actor,
  { courseId, lessonIds }: ImportedCourse,
  quizId: string,
): Promise<void> {
  const lessonId = lessonIds.at(-1)
  if (!lessonId) return
  const day = (days: number, time: string) => instantOf(localDay(new Date(), ZONE, days), time, ZONE).toISOString()
  const dates = { startAt: day(-STARTED, '09:00'), endAt: day(45, '23:59'), timeZone: ZONE }
  const { groupId } = await createGroup(author, { courseId, name: 'Суботня група', color: 'purple', ...dates })
  const { rows } = await getMatrix(author, GetMatrix.parse({ courseId }))
  const members = rows.filter(({ email }) => MEMBERS.some((name) => email.startsWith(name)))
  await changeMembers(author, { action: 'add', groupId, studentIds: members.map(({ studentId }) => studentId) })
  const after = (days: number, time: string) => ({
    mode: 'afterStart' as const,
    days: STARTED + days,
    time,
    zone: ZONE,
  })
  await changeLessons(author, { courseId, lessonIds: [lessonId], change: { availability: after(1, '18:00') } })
  const { taskId } = await addTask(author, { lessonId })
  const task = (await listTasks(author, { lessonId })).find(({ id }) => id === taskId)
  const instructions = 'Запишіть хвилину власної розповіді з трьома паузами й позначте їх у тексті.'
  if (task) {
    await saveTask(author, {
      ...task,
      taskId,
      title: 'Хвилина з паузами',
      instructions: {
        type: 'doc',
        content: [{ type: 'paragraph', content: [{ type: 'text', text: instructions }] }],
      },
      dueRule: after(2, '23:00'),
      required: false,
    })
  }
  await setOverride(author, SetOverride.parse({ quizId, studentId: null, groupId, closeAt: day(3, '21:00') }))
}
