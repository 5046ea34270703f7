import { z } from 'zod'

/** Items of the schedule that are moments of a course, and can be moved. */
export const COURSE_DATE_KINDS = ['lesson', 'homework', 'test'] as const
export type CourseDateKind = (typeof COURSE_DATE_KINDS)[number]

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'

/** The id of a lesson, a task or a test, and of the study group whose date it is: `<id>` or `<id>.<group id>`. */
export const CourseDateId = z.string().regex(new RegExp(`^${UUID}(?:\\.${UUID})?$`))

/** Splits an id of an item into that of the lesson, task or test, and that of the group. */
export function splitCourseDateId(id: string): { targetId: string; groupId: string | null } {
  const [targetId = '', groupId = null] = id.split('.')
  return { targetId, groupId }
}
