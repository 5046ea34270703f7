import { NoInput, procedureForRoles } from '#lib/core/http/api/procedure.ts'
import { CourseId, LessonId } from '../schema.ts'
import { completeLesson, reopenLesson } from './completion.ts'
import { listMyCourses, viewCourse } from './my-courses.ts'
import { listLessonNotes, saveNote } from './note.ts'
import { openLesson } from './open-lesson.ts'
import {
  GetMineCourseOutput,
  LessonCompletion,
  ListLessonNotesOutput,
  ListMineCourseOutput,
  OpenLessonOutput,
  SavedProgress,
  SaveNoteOutput,
} from './output-schema.ts'
import { SaveNote, SaveWatched } from './schema.ts'
import { saveWatched } from './watch.ts'

const student = procedureForRoles('STUDENT')

/** Procedures of a student in a course. */
export const studyCalls = {
  listMine: student
    .route({ summary: 'Returns the courses of a student, each with the lesson to resume' })
    .input(NoInput)
    .output(ListMineCourseOutput)
    .handler(({ context }) => listMyCourses(context.actor)),
  getMine: student
    .route({ summary: 'Returns a course as its student sees it, with the reason for each locked lesson' })
    .input(CourseId)
    .output(GetMineCourseOutput)
    .handler(({ input, context }) => viewCourse(context.actor, input)),
  openLesson: student
    .route({ summary: 'Opens a lesson for a student and records the visit' })
    .input(LessonId)
    .output(OpenLessonOutput)
    .handler(({ input, context }) => openLesson(context.actor, input)),
  completeLesson: student
    .route({ summary: 'Completes a lesson' })
    .input(LessonId)
    .output(LessonCompletion)
    .handler(({ input, context }) => completeLesson(context.actor, input)),
  reopenLesson: student
    .route({ summary: 'Reopens a lesson that the student completes manually' })
    .input(LessonId)
    .output(LessonCompletion)
    .handler(({ input, context }) => reopenLesson(context.actor, input)),
  saveWatched: student
    .route({
      summary:
        'Merges reported ranges into the stored ones under a row lock, so that two devices do not overwrite each other',
    })
    .input(SaveWatched)
    .output(SavedProgress)
    .handler(({ input, context }) => saveWatched(context.actor, input)),
  saveNote: student
    .route({ summary: "Saves a student's note of a lesson they have opened" })
    .input(SaveNote)
    .output(SaveNoteOutput)
    .handler(({ input, context }) => saveNote(context.actor, input)),
  listNotes: student
    .route({ summary: 'Returns all notes of the student in a course, in outline order' })
    .input(CourseId)
    .output(ListLessonNotesOutput)
    .handler(({ input, context }) => listLessonNotes(context.actor, input)),
}
