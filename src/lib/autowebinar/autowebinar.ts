export { getScriptFile, type ImportOutcome, importScript } from './csv.ts'
export { copyScript, makeFromVideo, makeFromWebinar } from './make.ts'
export { type AutoPlan, getPlan, minutesOf, planOf, savePlan } from './plan.ts'
export { clockFilm, type Onlooker, playOf, type ShownSession, scriptHas } from './play.ts'
export {
  answerLater,
  listQuestions,
  listShowings,
  promoteAnswer,
  type QuestionRow,
  type ShowingRow,
} from './question.ts'
export { deleteLines, type LinesOutcome, listGone, listLines, restoreLines, saveLine, shiftLines } from './script.ts'
export {
  type ChosenShowing,
  chooseShowing,
  enterOwnShowing,
  type OfferedShowing,
  offeredShowings,
  scriptChecks,
  sessionFor,
  showingToEnter,
} from './showing.ts'
export { mayWatchNow, type Showing, showingsOf, type Timing } from './showing-rules.ts'
export { advanceShowing, runTurn } from './turn.ts'
