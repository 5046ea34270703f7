import { forRoles } from '#lib/core/http/api/procedure.ts'
import { makeFromVideo, makeFromWebinar } from './autowebinar.ts'
import { getScriptFile, importScript } from './csv.ts'
import { getPlan, savePlan } from './plan.ts'
import { answerLater, listQuestions, listShowings, promoteAnswer } from './question.ts'
import {
  AnswerLater,
  ImportScript,
  ListQuestions,
  ListShowings,
  MakeFromVideo,
  MakeFromWebinar,
  OfWorkshop,
  OneQuestion,
  SaveLine,
  SavePlan,
  ShiftLines,
  SomeLines,
} from './schema.ts'
import { deleteLines, listLines, restoreLines, saveLine, shiftLines } from './script.ts'

const authors = forRoles('OWNER', 'DIRECTOR', 'EXPERT')
const managers = forRoles('OWNER', 'DIRECTOR', 'EXPERT', 'PRESENTER')
const staff = forRoles('OWNER', 'DIRECTOR', 'EXPERT', 'PRESENTER', 'MODERATOR')

/** The auto-webinar room at the API's door. */
export const autowebinar = {
  get: staff.input(OfWorkshop).handler(({ input, context }) => getPlan(context.actor, input)),
  savePlan: managers.input(SavePlan).handler(({ input, context }) => savePlan(context.actor, input)),
  listLines: staff.input(OfWorkshop).handler(({ input, context }) => listLines(context.actor, input)),
  saveLine: managers.input(SaveLine).handler(({ input, context }) => saveLine(context.actor, input)),
  deleteLines: managers.input(SomeLines).handler(({ input, context }) => deleteLines(context.actor, input)),
  restoreLines: managers.input(SomeLines).handler(({ input, context }) => restoreLines(context.actor, input)),
  shiftLines: managers.input(ShiftLines).handler(({ input, context }) => shiftLines(context.actor, input)),
  importScript: managers.input(ImportScript).handler(({ input, context }) => importScript(context.actor, input)),
  getScriptFile: staff.input(OfWorkshop).handler(({ input, context }) => getScriptFile(context.actor, input)),
  makeFromWebinar: authors
    .input(MakeFromWebinar)
    .handler(({ input, context }) => makeFromWebinar(context.actor, input)),
  makeFromVideo: authors.input(MakeFromVideo).handler(({ input, context }) => makeFromVideo(context.actor, input)),
  listShowings: staff.input(ListShowings).handler(({ input, context }) => listShowings(context.actor, input)),
  listQuestions: staff.input(ListQuestions).handler(({ input, context }) => listQuestions(context.actor, input)),
  answerLater: staff.input(AnswerLater).handler(({ input, context }) => answerLater(context.actor, input)),
  promoteAnswer: managers.input(OneQuestion).handler(({ input, context }) => promoteAnswer(context.actor, input)),
}
