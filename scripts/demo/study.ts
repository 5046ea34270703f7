import type { Actor } from '#lib/core/shared/actor.ts'
import { effectiveRoles } from '#lib/core/shared/role.ts'
import { saveNote } from '#lib/course/learning/note.ts'
import { changeLessons } from '#lib/course/outline/bulk-change.ts'
import type { ImportedCourse } from './import-course.ts'

const NOTES = [
  'Обіцянка одним реченням: після ефіру ви зможете провести власний за тиждень.',
  'Вправу поставити на 30-ту хвилину. Запитання зібрати в чаті заздалегідь!',
]

/** Notes of a student in the first lessons, which are opened by them. */
export async function jotDown(owner: Actor, studentId: string, { lessonIds }: ImportedCourse): Promise<void> {
  const accountType = 'ACCOUNT_TYPE_STUDENT' as const
  const student = { ...owner, membershipId: studentId, accountType, roles: effectiveRoles(accountType, []) }
  for (const [index, text] of NOTES.entries()) {
    const lessonId = lessonIds[index]
    if (lessonId) await saveNote(student, { lessonId, version: 0, text })
  }
}

/** A lesson that is completed by watching its video. */
export async function askToWatch(author: Actor, { courseId, lessonIds }: ImportedCourse): Promise<void> {
  const change = { completionRule: { mode: 'watched', percent: 80 } as const }
  await changeLessons(author, { courseId, lessonIds: lessonIds.slice(0, 1), change })
}
