import { newId } from '#lib/core/db/id.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { startAttempt, submitAttempt } from '#lib/quiz/attempt/attempt.ts'
import { createQuestion } from '#lib/quiz/bank/bank.ts'
import {
  type AnswerValue,
  QuestionContent,
  type QuestionContentInput,
  QuestionDraft,
} from '#lib/quiz/question/schema.ts'
import { createQuiz, getQuiz, publishQuiz, updateQuiz } from '#lib/quiz/quiz.ts'
import { type QuizSettings, SetSections } from '#lib/quiz/schema.ts'
import { setSections } from '#lib/quiz/sections.ts'
import { keep, poster } from '../files/shelf.ts'
import type { ImportedCourse } from '../import-course.ts'
import { demoQuestions, writtenQuestions } from './questions.ts'
import { saveDemoAnswer } from './save-answer.ts'

const ANSWERS: Record<string, AnswerValue> = {
  start: { type: 'single', optionId: 'a' },
  sound: { type: 'multiple', optionIds: ['a', 'c'] },
  camera: { type: 'trueFalse', value: true },
  word: { type: 'shortText', text: 'Модератор' },
  minutes: { type: 'number', text: '10' },
  order: { type: 'ordering', itemIds: ['i0', 'i1', 'i2', 'i3'] },
  gaps: { type: 'gapText', gaps: { g1: 'зробив' } },
  light: { type: 'gapSelect', gaps: { g1: 'b' } },
  ready: { type: 'scale', value: 4 },
}

/** Tests of a course: one that a student has finished, and one of all question types that is in progress. */
export async function addTests(author: Actor, student: Actor, { courseId }: ImportedCourse): Promise<void> {
  const pictureId = await keep(author, {
    parentId: null,
    name: 'Афіша тесту.png',
    kind: 'image',
    mime: 'image/png',
    bytes: await poster('#1f4fa3', '#f2c14e'),
  })
  const scored = await addQuestions(author, demoQuestions(pictureId))
  const written = await addQuestions(author, writtenQuestions())
  const first = await addTest(author, courseId, {
    title: 'Перед першим ефіром',
    questionIds: [...scored.values()],
    settings: {
      passPercent: 60,
      show: { score: true, correctness: true, correctAnswers: true, explanations: true },
      gradeBands: [
        { fromPercent: 0, text: 'Перегляньте урок іще раз і спробуйте знову.' },
        { fromPercent: 60, text: 'Ви готові до першого ефіру.' },
      ],
    },
  })
  const second = await addTest(author, courseId, {
    title: 'План вебінару',
    questionIds: [...scored.values(), ...written.values()],
    settings: { perPage: 7, feedback: 'afterEach', attempts: 3, passPercent: 50 },
  })
  const { attemptId } = await startAttempt(student, { quizId: first, attemptId: newId(), password: '' })
  await answer(student, attemptId, scored)
  await submitAttempt(student, { attemptId })
  const running = await startAttempt(student, { quizId: second, attemptId: newId(), password: '' })
  await answer(student, running.attemptId, new Map([...scored].slice(0, 3)))
}

async function answer(student: Actor, attemptId: string, questions: ReadonlyMap<string, string>): Promise<void> {
  for (const [name, questionId] of questions) {
    const value = ANSWERS[name]
    if (value) await saveDemoAnswer(student, { attemptId, questionId, revision: 1, value })
  }
}

async function addQuestions(
  author: Actor,
  questions: readonly (QuestionContentInput & { id: string })[],
): Promise<Map<string, string>> {
  const ids = new Map<string, string>()
  for (const { id: name, ...content } of questions) {
    const questionId = newId()
    const draft = QuestionDraft.parse({ tags: ['вебінар'], content: QuestionContent.parse(content) })
    await createQuestion(author, { questionId, bankId: null, draft })
    ids.set(name, questionId)
  }
  return ids
}

async function addTest(
  author: Actor,
  courseId: string,
  { title, questionIds, settings }: { title: string; questionIds: string[]; settings: Partial<QuizSettings> },
): Promise<string> {
  const quizId = newId()
  await createQuiz(author, { quizId, courseId, title })
  const section = { id: newId(), pick: 'fixed' as const, questions: questionIds.map((questionId) => ({ questionId })) }
  await setSections(author, SetSections.parse({ quizId, revision: 1, sections: [section] }))
  const { revision } = await getQuiz(author, { quizId })
  await updateQuiz(author, { quizId, revision, settings })
  await publishQuiz(author, { quizId })
  return quizId
}
