import { NoOutput, noOutput, procedureForRoles } from '#lib/core/http/api/procedure.ts'
import { LessonId } from '../schema.ts'
import { discardLesson, getLesson, publishLesson } from './lesson.ts'
import {
  DiscardLessonOutput,
  GetLessonOutput,
  LessonText,
  ListRevisionsOutput,
  PublishLessonOutput,
  RestoreRevisionOutput,
  SaveLessonOutput,
} from './output-schema.ts'
import { attendLesson } from './presence.ts'
import { getLessonText, listRevisions, nameRevision, restoreRevision } from './revision.ts'
import { saveLesson } from './save.ts'
import * as schema from './schema.ts'

const staff = procedureForRoles('OWNER', 'DIRECTOR', 'EXPERT', 'CURATOR')
const authors = procedureForRoles('OWNER', 'DIRECTOR', 'EXPERT')

/** Procedures of lesson drafts, revisions and publication. */
export const lessonCalls = {
  getLesson: staff
    .route({ summary: 'Returns a lesson for its author' })
    .input(LessonId)
    .output(GetLessonOutput)
    .handler(({ input, context }) => getLesson(context.actor, input)),
  listRevisions: staff
    .route({ summary: 'Returns revisions of a lesson, newest first, one item a version, without documents' })
    .input(LessonId)
    .output(ListRevisionsOutput)
    .handler(({ input, context }) => listRevisions(context.actor, input)),
  getLessonText: staff
    .route({ summary: 'Returns one text of a lesson' })
    .input(schema.GetLessonText)
    .output(LessonText)
    .handler(({ input, context }) => getLessonText(context.actor, input)),

  saveLesson: authors
    .route({ summary: 'Saves changed blocks of the draft, its title, or both, based on `version`' })
    .input(schema.SaveLesson)
    .output(SaveLessonOutput)
    .handler(({ input, context }) => saveLesson(context.actor, input)),
  publishLesson: authors
    .route({ summary: 'Publishes the draft' })
    .input(schema.PublishLesson)
    .output(PublishLessonOutput)
    .handler(({ input, context }) => publishLesson(context.actor, input)),
  discardLesson: authors
    .route({ summary: 'Discards unpublished changes' })
    .input(LessonId)
    .output(DiscardLessonOutput)
    .handler(({ input, context }) => discardLesson(context.actor, input)),
  nameRevision: authors
    .route({ summary: 'Names a version, the draft or a revision' })
    .input(schema.NameRevision)
    .output(NoOutput)
    .handler(({ input, context }) => nameRevision(context.actor, input).then(noOutput)),
  restoreRevision: authors
    .route({ summary: 'Restores a revision as the draft' })
    .input(schema.RestoreRevision)
    .output(RestoreRevisionOutput)
    .handler(({ input, context }) => restoreRevision(context.actor, input)),
  attendLesson: authors
    .route({ summary: 'Announces to the other open editors of a lesson that this one joins, stays or leaves' })
    .input(schema.AttendLesson)
    .output(NoOutput)
    .handler(({ input, context }) => attendLesson(context.actor, input).then(noOutput)),
}
