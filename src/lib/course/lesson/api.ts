import { Done, done, procedureForRoles } from '#lib/core/http/api/procedure.ts'
import { LessonId } from '../schema.ts'
import { discardLesson, getLesson, publishLesson } from './lesson.ts'
import { attendLesson } from './presence.ts'
import { getLessonText, listRevisions, nameRevision, restoreRevision } from './revision.ts'
import { saveLesson } from './save.ts'
import * as schema from './schema.ts'

const staff = procedureForRoles('OWNER', 'DIRECTOR', 'EXPERT', 'CURATOR')
const authors = procedureForRoles('OWNER', 'DIRECTOR', 'EXPERT')

/** Procedures of lesson drafts, revisions and publication. */
export const lessonCalls = {
  getLesson: staff.input(LessonId).handler(({ input, context }) => getLesson(context.actor, input)),
  listRevisions: staff.input(LessonId).handler(({ input, context }) => listRevisions(context.actor, input)),
  getLessonText: staff.input(schema.GetLessonText).handler(({ input, context }) => getLessonText(context.actor, input)),

  saveLesson: authors.input(schema.SaveLesson).handler(({ input, context }) => saveLesson(context.actor, input)),
  publishLesson: authors
    .input(schema.PublishLesson)
    .handler(({ input, context }) => publishLesson(context.actor, input)),
  discardLesson: authors.input(LessonId).handler(({ input, context }) => discardLesson(context.actor, input)),
  nameRevision: authors
    .input(schema.NameRevision)
    .output(Done)
    .handler(({ input, context }) => nameRevision(context.actor, input).then(done)),
  restoreRevision: authors
    .input(schema.RestoreRevision)
    .handler(({ input, context }) => restoreRevision(context.actor, input)),
  attendLesson: authors
    .input(schema.AttendLesson)
    .output(Done)
    .handler(({ input, context }) => attendLesson(context.actor, input).then(done)),
}
