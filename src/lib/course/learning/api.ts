import { forRoles } from '#lib/core/http/api/procedure.ts'
import * as door from '../course.ts'
import { CourseId, LessonId } from '../schema.ts'
import { SaveNote, SaveWatched } from './schema.ts'

const student = forRoles('STUDENT')

/** What a student does in a course. */
export const studyCalls = {
  listMine: student.handler(({ context }) => door.listMyCourses(context.actor)),
  getMine: student.input(CourseId).handler(({ input, context }) => door.viewCourse(context.actor, input)),
  openLesson: student.input(LessonId).handler(({ input, context }) => door.openLesson(context.actor, input)),
  completeLesson: student.input(LessonId).handler(({ input, context }) => door.completeLesson(context.actor, input)),
  reopenLesson: student.input(LessonId).handler(({ input, context }) => door.reopenLesson(context.actor, input)),
  saveWatched: student.input(SaveWatched).handler(({ input, context }) => door.saveWatched(context.actor, input)),
  saveNote: student.input(SaveNote).handler(({ input, context }) => door.saveNote(context.actor, input)),
  listNotes: student.input(CourseId).handler(({ input, context }) => door.listNotes(context.actor, input)),
}
