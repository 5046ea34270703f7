import { procedureForRoles } from '#lib/core/http/api/procedure.ts'
import { makeFromVideo, makeFromWebinar } from './autowebinar.ts'
import { getPlan, savePlan } from './plan.ts'
import { answerLater, listAutoSessions, listQuestions, promoteAnswer } from './question.ts'
import {
  AnswerLater,
  EntryVersions,
  ImportScript,
  ListAutoSessions,
  ListQuestions,
  MakeFromVideo,
  MakeFromWebinar,
  QuestionRef,
  SaveEntry,
  SavePlan,
  ShiftEntries,
  WorkshopRef,
} from './schema.ts'
import { deleteEntries, listEntries, restoreEntries, saveEntry, shiftEntries } from './script.ts'
import { getScriptFile, importScript } from './script-csv.ts'

const authors = procedureForRoles('OWNER', 'DIRECTOR', 'EXPERT')
const managers = procedureForRoles('OWNER', 'DIRECTOR', 'EXPERT', 'PRESENTER')
const staff = procedureForRoles('OWNER', 'DIRECTOR', 'EXPERT', 'PRESENTER', 'MODERATOR')

/** Procedures of auto-webinars. */
export const autowebinar = {
  get: staff.input(WorkshopRef).handler(({ input, context }) => getPlan(context.actor, input)),
  savePlan: managers.input(SavePlan).handler(({ input, context }) => savePlan(context.actor, input)),
  listLines: staff.input(WorkshopRef).handler(({ input, context }) => listEntries(context.actor, input)),
  saveLine: managers.input(SaveEntry).handler(({ input, context }) => saveEntry(context.actor, input)),
  deleteLines: managers.input(EntryVersions).handler(({ input, context }) => deleteEntries(context.actor, input)),
  restoreLines: managers.input(EntryVersions).handler(({ input, context }) => restoreEntries(context.actor, input)),
  shiftLines: managers.input(ShiftEntries).handler(({ input, context }) => shiftEntries(context.actor, input)),
  importScript: managers.input(ImportScript).handler(({ input, context }) => importScript(context.actor, input)),
  getScriptFile: staff.input(WorkshopRef).handler(({ input, context }) => getScriptFile(context.actor, input)),
  makeFromWebinar: authors
    .input(MakeFromWebinar)
    .handler(({ input, context }) => makeFromWebinar(context.actor, input)),
  makeFromVideo: authors.input(MakeFromVideo).handler(({ input, context }) => makeFromVideo(context.actor, input)),
  listShowings: staff.input(ListAutoSessions).handler(({ input, context }) => listAutoSessions(context.actor, input)),
  listQuestions: staff.input(ListQuestions).handler(({ input, context }) => listQuestions(context.actor, input)),
  answerLater: staff.input(AnswerLater).handler(({ input, context }) => answerLater(context.actor, input)),
  promoteAnswer: managers.input(QuestionRef).handler(({ input, context }) => promoteAnswer(context.actor, input)),
}
