import { procedureForRoles } from '#lib/core/http/api/procedure.ts'
import { makeFromVideo, makeFromWebinar } from './autowebinar.ts'
import {
  AnswerLaterOutput,
  EntriesOutcome,
  GetAutowebinarOutput,
  GetScriptFileOutput,
  ListLinesOutput,
  ListQuestionsOutput,
  ListSessionsOutput,
  MakeFromVideoOutput,
  MakeFromWebinarOutput,
  PromoteAnswerOutput,
  SaveLineOutput,
  SavePlanOutput,
  ScriptImportOutcome,
} from './output-schema.ts'
import { getPlan, savePlan } from './plan.ts'
import { answerLater, listAutoSessions, listViewerQuestions, promoteAnswer } from './question.ts'
import {
  AnswerLater,
  EntryVersions,
  ImportScript,
  ListAutoSessions,
  ListViewerQuestions,
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
  get: staff
    .route({ summary: 'Returns the plan of an auto-webinar for its staff' })
    .input(WorkshopRef)
    .output(GetAutowebinarOutput)
    .handler(({ input, context }) => getPlan(context.actor, input)),
  savePlan: managers
    .route({ summary: 'Saves the given fields of a plan' })
    .input(SavePlan)
    .output(SavePlanOutput)
    .handler(({ input, context }) => savePlan(context.actor, input)),
  listEntries: staff
    .route({ summary: 'Returns the whole script for its editor' })
    .input(WorkshopRef)
    .output(ListLinesOutput)
    .handler(({ input, context }) => listEntries(context.actor, input)),
  saveEntry: managers
    .route({ summary: 'Saves one entry of the script' })
    .input(SaveEntry)
    .output(SaveLineOutput)
    .handler(({ input, context }) => saveEntry(context.actor, input)),
  deleteEntries: managers
    .route({ summary: 'Deletes entries of the script' })
    .input(EntryVersions)
    .output(EntriesOutcome)
    .handler(({ input, context }) => deleteEntries(context.actor, input)),
  restoreEntries: managers
    .route({ summary: 'Restores deleted entries of the script' })
    .input(EntryVersions)
    .output(EntriesOutcome)
    .handler(({ input, context }) => restoreEntries(context.actor, input)),
  shiftEntries: managers
    .route({ summary: 'Shifts entries of the script in time, none of them before the start' })
    .input(ShiftEntries)
    .output(EntriesOutcome)
    .handler(({ input, context }) => shiftEntries(context.actor, input)),
  importScript: managers
    .route({ summary: 'Imports a script from CSV' })
    .input(ImportScript)
    .output(ScriptImportOutcome)
    .handler(({ input, context }) => importScript(context.actor, input)),
  getScriptFile: staff
    .route({ summary: 'Returns the script as a CSV file that importScript reads' })
    .input(WorkshopRef)
    .output(GetScriptFileOutput)
    .handler(({ input, context }) => getScriptFile(context.actor, input)),
  makeFromWebinar: authors
    .route({ summary: 'Creates an auto-webinar from a finished webinar' })
    .input(MakeFromWebinar)
    .output(MakeFromWebinarOutput)
    .handler(({ input, context }) => makeFromWebinar(context.actor, input)),
  makeFromVideo: authors
    .route({ summary: 'Creates an auto-webinar from a video, with an empty script' })
    .input(MakeFromVideo)
    .output(MakeFromVideoOutput)
    .handler(({ input, context }) => makeFromVideo(context.actor, input)),
  listSessions: staff
    .route({ summary: 'Returns the sessions of an auto-webinar that exist' })
    .input(ListAutoSessions)
    .output(ListSessionsOutput)
    .handler(({ input, context }) => listAutoSessions(context.actor, input)),
  listQuestions: staff
    .route({ summary: "Returns questions and messages of an auto-webinar's viewers, oldest first" })
    .input(ListViewerQuestions)
    .output(ListQuestionsOutput)
    .handler(({ input, context }) => listViewerQuestions(context.actor, input)),
  answerLater: staff
    .route({ summary: 'Answers a question of a session' })
    .input(AnswerLater)
    .output(AnswerLaterOutput)
    .handler(({ input, context }) => answerLater(context.actor, input)),
  promoteAnswer: managers
    .route({
      summary: 'Adds a question with its answer to the script for future viewers, at its offset and under a pseudonym',
    })
    .input(QuestionRef)
    .output(PromoteAnswerOutput)
    .handler(({ input, context }) => promoteAnswer(context.actor, input)),
}
