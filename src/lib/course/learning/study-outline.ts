import type { Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { Access } from '../access/access-reason.ts'
import { accessOf, loadStudy, type Study, type StudyLesson } from '../access/enrolment.ts'

export interface StudiedLesson {
  id: string
  title: string
  durationMinutes: number | null
  state: 'locked' | 'open' | 'started' | 'done'
  access: Access
}
export interface StudiedModule {
  id: string
  title: string
  lessons: StudiedLesson[]
}

/** The actor's own study of a course. Refuses with not_found for a course that was never opened to them. */
export async function loadMine(tx: Tx, actor: Actor, courseId: string): Promise<Study> {
  const study = await loadStudy(tx, { studentId: actor.membershipId, courseId })
  if (study.grants.every((grant) => grant.revokedAt)) throw new Refusal('not_found')
  return study
}

/** What of a course its page needs. */
export function aboutCourse({ course }: Study) {
  const { id, title, shortDescription, coverFileId, language, lessonNumbering } = course
  return { id, title, shortDescription, coverFileId, language, lessonNumbering }
}

/** A course's lessons with their states, how many are done, and the one to go on with. */
export function outlineOf(study: Study, answers: readonly Access[] = accessOf(study, new Date())) {
  const modules = new Map<string, StudiedModule>()
  for (const [index, row] of study.lessons.entries()) {
    const module = modules.get(row.moduleId) ?? { id: row.moduleId, title: row.moduleTitle, lessons: [] }
    modules.set(row.moduleId, module)
    const access: Access = answers[index] ?? { allow: false, because: 'no_grant' }
    module.lessons.push({
      id: row.id,
      title: row.title,
      durationMinutes: row.durationMinutes,
      access,
      state: access.allow ? (row.completedAt ? 'done' : row.openedAt ? 'started' : 'open') : 'locked',
    })
  }
  const shown = [...modules.values()]
  const completed = study.lessons.filter((row) => row.completedAt !== null).length
  return { modules: shown, completed, total: study.lessons.length, resumeLessonId: resumeOf(study, shown)?.id ?? null }
}

/** The last one that was read and not completed, else the first to read, else the first that opens at all. */
function resumeOf({ lessons }: Study, modules: readonly StudiedModule[]): StudiedLesson | undefined {
  const all = modules.flatMap((one) => one.lessons)
  const last = lessons.filter((row) => row.lastOpenedAt && !row.completedAt).sort(latestFirst)[0]
  return all.find((one) => one.id === last?.id && one.state !== 'locked') ?? all.find(isToRead) ?? all.find(isOpen)
}

const isToRead = ({ state }: StudiedLesson): boolean => state === 'open' || state === 'started'
const isOpen = ({ state }: StudiedLesson): boolean => state !== 'locked'
const latestFirst = (a: StudyLesson, b: StudyLesson): number => Number(b.lastOpenedAt) - Number(a.lastOpenedAt)
