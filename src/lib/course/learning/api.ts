import { procedureForRoles } from '#lib/core/http/api/procedure.ts'
import { CourseId, LessonId } from '../schema.ts'
import { completeLesson, reopenLesson } from './completion.ts'
import { listMyCourses, viewCourse } from './my-courses.ts'
import { listNotes, saveNote } from './note.ts'
import { openLesson } from './open-lesson.ts'
import { SaveNote, SaveWatched } from './schema.ts'
import { saveWatched } from './watch.ts'

const student = procedureForRoles('STUDENT')

/** What a student does in a course. */
export const studyCalls = {
  listMine: student.handler(({ context }) => listMyCourses(context.actor)),
  getMine: student.input(CourseId).handler(({ input, context }) => viewCourse(context.actor, input)),
  openLesson: student.input(LessonId).handler(({ input, context }) => openLesson(context.actor, input)),
  completeLesson: student.input(LessonId).handler(({ input, context }) => completeLesson(context.actor, input)),
  reopenLesson: student.input(LessonId).handler(({ input, context }) => reopenLesson(context.actor, input)),
  saveWatched: student.input(SaveWatched).handler(({ input, context }) => saveWatched(context.actor, input)),
  saveNote: student.input(SaveNote).handler(({ input, context }) => saveNote(context.actor, input)),
  listNotes: student.input(CourseId).handler(({ input, context }) => listNotes(context.actor, input)),
}
