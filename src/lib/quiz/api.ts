import { NoInput, procedureForRoles } from '#lib/core/http/api/procedure.ts'
import { attemptCalls } from './attempt/api.ts'
import { bankCalls } from './bank/api.ts'
import { duplicateQuiz } from './copy-quizzes.ts'
import {
  OverrideOutput,
  QuizDetailsOutput,
  QuizOutput,
  QuizPage,
  RevisionOutput,
  SectionsOutput,
} from './output-schema.ts'
import { removeOverride, setOverride } from './overrides.ts'
import { getQuizPolicy, setQuizPolicy } from './policy.ts'
import {
  createQuiz,
  deleteQuiz,
  getQuiz,
  publishQuiz,
  restoreQuiz,
  setQuizHidden,
  unpublishQuiz,
  updateQuiz,
} from './quiz.ts'
import { listQuizzes } from './quizzes.ts'
import { attemptReviewCalls } from './review/api.ts'
import {
  CreateQuiz,
  DuplicateQuiz,
  HideQuiz,
  ListQuizzes,
  OverrideId,
  QuizId,
  QuizPolicy,
  SetOverride,
  SetSections,
  UpdateQuiz,
} from './schema.ts'
import { setSections } from './sections.ts'
import { questionTransferCalls } from './transfer/api.ts'

const staff = procedureForRoles('OWNER', 'DIRECTOR', 'EXPERT', 'CURATOR')
const managers = procedureForRoles('OWNER', 'DIRECTOR')
const authors = procedureForRoles('OWNER', 'DIRECTOR', 'EXPERT')

/** Procedures of tests. */
export const quizProcedures = {
  ...bankCalls,
  ...attemptCalls,
  ...attemptReviewCalls,
  ...questionTransferCalls,
  create: authors
    .route({ summary: 'Creates a draft test' })
    .input(CreateQuiz)
    .output(QuizOutput)
    .handler(({ input, context }) => createQuiz(context.actor, input)),
  get: staff
    .route({ summary: 'Returns a test with its settings, sections and exceptions' })
    .input(QuizId)
    .output(QuizDetailsOutput)
    .handler(({ input, context }) => getQuiz(context.actor, input)),
  list: staff
    .route({ summary: 'Returns tests, latest change first' })
    .input(ListQuizzes)
    .output(QuizPage)
    .handler(({ input, context }) => listQuizzes(context.actor, input)),
  update: authors
    .route({ summary: 'Changes the settings of a test' })
    .input(UpdateQuiz)
    .output(RevisionOutput)
    .handler(({ input, context }) => updateQuiz(context.actor, input)),
  duplicate: authors
    .route({ summary: 'Copies a test as a draft, without exceptions and attempts' })
    .input(DuplicateQuiz)
    .output(QuizOutput)
    .handler(({ input, context }) => duplicateQuiz(context.actor, input)),
  setSections: authors
    .route({ summary: 'Replaces the sections of a test' })
    .input(SetSections)
    .output(SectionsOutput)
    .handler(({ input, context }) => setSections(context.actor, input)),
  publish: authors
    .route({ summary: 'Offers a test to the students of its course' })
    .input(QuizId)
    .output(QuizOutput)
    .handler(({ input, context }) => publishQuiz(context.actor, input)),
  unpublish: authors
    .route({ summary: 'Takes a test from students' })
    .input(QuizId)
    .output(QuizOutput)
    .handler(({ input, context }) => unpublishQuiz(context.actor, input)),
  setHidden: authors
    .route({ summary: 'Hides a published test from students, or shows it again' })
    .input(HideQuiz)
    .output(QuizOutput)
    .handler(({ input, context }) => setQuizHidden(context.actor, input)),
  delete: authors
    .route({ summary: 'Moves a test to the trash' })
    .input(QuizId)
    .output(QuizOutput)
    .handler(({ input, context }) => deleteQuiz(context.actor, input)),
  restore: authors
    .route({ summary: 'Restores a test from the trash' })
    .input(QuizId)
    .output(QuizOutput)
    .handler(({ input, context }) => restoreQuiz(context.actor, input)),
  setOverride: staff
    .route({ summary: 'Sets the exception of a student or group from the settings of a test' })
    .input(SetOverride)
    .output(OverrideOutput)
    .handler(({ input, context }) => setOverride(context.actor, input)),
  getPolicy: managers
    .route({ summary: 'Returns what the school allows in all its tests' })
    .input(NoInput)
    .output(QuizPolicy)
    .handler(({ context }) => getQuizPolicy(context.actor)),
  setPolicy: managers
    .route({ summary: 'Changes what the school allows in all its tests' })
    .input(QuizPolicy)
    .output(QuizPolicy)
    .handler(({ input, context }) => setQuizPolicy(context.actor, input)),
  removeOverride: staff
    .route({ summary: 'Removes an exception from the settings of a test' })
    .input(OverrideId)
    .output(OverrideOutput)
    .handler(({ input, context }) => removeOverride(context.actor, input)),
}
