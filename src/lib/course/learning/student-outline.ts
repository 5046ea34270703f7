import type { SQL } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { Access } from '../access/access-reason.ts'
import { type Enrolment, type LessonWithProgress, loadEnrolment, outlineAccessOf } from '../access/enrolment.ts'

export interface StudentLesson {
  id: string
  title: string
  durationMinutes: number | null
  state: 'locked' | 'open' | 'started' | 'done'
  access: Access
}
export interface StudentModule {
  id: string
  title: string
  lessons: StudentLesson[]
}

/** The actor's enrolment in a course. Refuses with not_found for a course that was never open to them. */
export async function loadOwnEnrolment(tx: Tx, actor: Actor, courseId: string | SQL<string>): Promise<Enrolment> {
  const enrolment = await loadEnrolment(tx, { studentId: actor.membershipId, courseId })
  if (enrolment.grants.every((grant) => grant.revokedAt)) throw new Refusal('not_found')
  return enrolment
}

/** The fields of a course that its page shows. */
export function courseSummary({ course }: Enrolment) {
  const { id, title, shortDescription, coverFileId, language, lessonNumbering } = course
  return { id, title, shortDescription, coverFileId, language, lessonNumbering }
}

/** The outline of a course with lesson states, the completed count, and the lesson to resume. */
export function studentOutline(
  enrolment: Enrolment,
  results: readonly Access[] = outlineAccessOf(enrolment, new Date()),
) {
  const modules = new Map<string, StudentModule>()
  for (const [index, row] of enrolment.lessons.entries()) {
    const module = modules.get(row.moduleId) ?? { id: row.moduleId, title: row.moduleTitle, lessons: [] }
    modules.set(row.moduleId, module)
    const access: Access = results[index] ?? { allow: false, reason: 'no_grant' }
    module.lessons.push({
      id: row.id,
      title: row.title,
      durationMinutes: row.durationMinutes,
      access,
      state: access.allow ? (row.completedAt ? 'done' : row.openedAt ? 'started' : 'open') : 'locked',
    })
  }
  const moduleList = [...modules.values()]
  const completed = enrolment.lessons.filter((row) => row.completedAt !== null).length
  return {
    modules: moduleList,
    completed,
    total: enrolment.lessons.length,
    resumeLessonId: findResumeLesson(enrolment, moduleList)?.id ?? null,
  }
}

/** The lesson opened last and not completed, else the first unfinished one, else the first unlocked one. */
function findResumeLesson({ lessons }: Enrolment, modules: readonly StudentModule[]): StudentLesson | undefined {
  const all = modules.flatMap((item) => item.lessons)
  const last = lessons.filter((row) => row.lastOpenedAt && !row.completedAt).sort(byLastOpened)[0]
  return (
    all.find((item) => item.id === last?.id && item.state !== 'locked') ??
    all.find(isUnfinished) ??
    all.find(isUnlocked)
  )
}

const isUnfinished = ({ state }: StudentLesson): boolean => state === 'open' || state === 'started'
const isUnlocked = ({ state }: StudentLesson): boolean => state !== 'locked'
const byLastOpened = (a: LessonWithProgress, b: LessonWithProgress): number =>
  Number(b.lastOpenedAt) - Number(a.lastOpenedAt)
