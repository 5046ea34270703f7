import { forRoles } from '#lib/core/http/api/procedure.ts'
import * as door from './autowebinar.ts'
import * as ask from './schema.ts'

const authors = forRoles('OWNER', 'DIRECTOR', 'EXPERT')
const managers = forRoles('OWNER', 'DIRECTOR', 'EXPERT', 'PRESENTER')
const staff = forRoles('OWNER', 'DIRECTOR', 'EXPERT', 'PRESENTER', 'MODERATOR')

// The hallway hands it to the workshop room, which duplicates events and stands below this one.
export { copyScript } from './make.ts'
export { scriptChecks } from './showing.ts'

/** The auto-webinar room at the API's door. */
export const autowebinar = {
  get: staff.input(ask.OfWorkshop).handler(({ input, context }) => door.getPlan(context.actor, input)),
  savePlan: managers.input(ask.SavePlan).handler(({ input, context }) => door.savePlan(context.actor, input)),
  listLines: staff.input(ask.OfWorkshop).handler(({ input, context }) => door.listLines(context.actor, input)),
  saveLine: managers.input(ask.SaveLine).handler(({ input, context }) => door.saveLine(context.actor, input)),
  deleteLines: managers.input(ask.SomeLines).handler(({ input, context }) => door.deleteLines(context.actor, input)),
  restoreLines: managers.input(ask.SomeLines).handler(({ input, context }) => door.restoreLines(context.actor, input)),
  shiftLines: managers.input(ask.ShiftLines).handler(({ input, context }) => door.shiftLines(context.actor, input)),
  importScript: managers
    .input(ask.ImportScript)
    .handler(({ input, context }) => door.importScript(context.actor, input)),
  getScriptFile: staff.input(ask.OfWorkshop).handler(({ input, context }) => door.getScriptFile(context.actor, input)),
  makeFromWebinar: authors
    .input(ask.MakeFromWebinar)
    .handler(({ input, context }) => door.makeFromWebinar(context.actor, input)),
  makeFromVideo: authors
    .input(ask.MakeFromVideo)
    .handler(({ input, context }) => door.makeFromVideo(context.actor, input)),
  listShowings: staff.input(ask.ListShowings).handler(({ input, context }) => door.listShowings(context.actor, input)),
  listQuestions: staff
    .input(ask.ListQuestions)
    .handler(({ input, context }) => door.listQuestions(context.actor, input)),
  answerLater: staff.input(ask.AnswerLater).handler(({ input, context }) => door.answerLater(context.actor, input)),
  promoteAnswer: managers
    .input(ask.OneQuestion)
    .handler(({ input, context }) => door.promoteAnswer(context.actor, input)),
}
