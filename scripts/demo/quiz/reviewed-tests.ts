import { newId } from '#lib/core/db/id.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { computeItemAnalysis } from '#lib/quiz/analysis/compute-item-analysis.ts'
import { startAttempt, submitAttempt } from '#lib/quiz/attempt/attempt.ts'
import { createQuestion } from '#lib/quiz/bank/bank.ts'
import { plainRichText } from '#lib/quiz/question/rich-text-schema.ts'
import { type AnswerValue, type QuestionContentInput, QuestionDraft } from '#lib/quiz/question/schema.ts'
import { createQuiz, getQuiz, publishQuiz, updateQuiz } from '#lib/quiz/quiz.ts'
import { finishAttemptReview, saveAttemptReview } from '#lib/quiz/review/review.ts'
import { type QuizSettings, SetSections } from '#lib/quiz/schema.ts'
import { setSections } from '#lib/quiz/sections.ts'
import type { ImportedCourse } from '../import-course.ts'
import { saveDemoAnswer } from './save-answer.ts'

const HOUR = 3_600_000
const text = plainRichText

const choice = (stem: string, options: readonly string[]): QuestionContentInput => ({
  type: 'single',
  stem: text(stem),
  options: options.map((option, index) => ({
    id: 'abcd'[index] ?? 'z',
    content: text(option),
    fraction: index === 0 ? 1 : 0,
  })),
})

/** The key of the third question is wrong: students with knowledge choose the other option. */
const CHOICES: QuestionContentInput[] = [
  choice('Скільки триває вдалий вступ?', ['До двох хвилин', 'Десять хвилин', 'Пів години']),
  choice('Коли ставити вправу?', ['Усередині ефіру', 'Після ефіру', 'Ніколи']),
  choice('Скільки тексту має бути на слайді?', ['Усе, що ви скажете', 'Одна думка', 'Жодного слова']),
  { type: 'trueFalse', stem: text('Запитання збирають у чаті.'), correct: true },
]

const ESSAY: QuestionContentInput = {
  type: 'essay',
  stem: text('Що слухач зможе зробити після вашого вебінару?'),
  points: 5,
  sampleAnswer: text('Порахує собівартість торта за готовою таблицею.'),
}

const ESSAYS = [
  'Слухач складе план уроку з дослідом, для якого не потрібна лабораторія.',
  'Розкажу про фотографію: світло, композицію й обробку знімків у телефоні.',
  'Після ефіру кожен порахує, скільки коштує година його роботи.',
]

/** A test of choices with attempts of all students, and a test with an essay whose attempts wait for a reviewer. */
export async function addReviewedTests(
  { expert, students }: { expert: Actor; students: readonly Actor[] },
  { courseId }: ImportedCourse,
): Promise<void> {
  const choices = await addTest(expert, courseId, 'Основи ефіру', CHOICES, { passPercent: 50, timeLimitSec: 1800 })
  for (const [index, student] of students.entries()) {
    const answers = answersOf(1 - index / students.length)
    await makeAttempt(student, choices, answers, { hoursAgo: 60 - 4 * index, pace: 20 + 3 * index })
  }
  await computeItemAnalysis({ tenantId: expert.tenantId, quizId: choices.quizId })
  const essays = await addTest(expert, courseId, 'Обіцянка слухачеві', [...CHOICES.slice(0, 1), ESSAY], {
    passPercent: 60,
    timeLimitSec: 3600,
  })
  const attempts: string[] = []
  for (const [index, body] of ESSAYS.entries()) {
    const student = students[index]
    if (!student) return
    const answers: AnswerValue[] = [
      { type: 'single', optionId: 'a' },
      { type: 'essay', text: body },
    ]
    attempts.push(await makeAttempt(student, essays, answers, { hoursAgo: 50 - 20 * index, pace: 240 }))
  }
  const draft = {
    marks: { [essays.questionIds[1] ?? '']: { score: 4, comment: 'Видно користь. Додайте, для кого це.' } },
    comment: 'Гарна робота!',
  }
  const [attemptId = ''] = attempts
  const { revision } = await saveAttemptReview(expert, { attemptId, revision: 0, draft })
  await finishAttemptReview(expert, { attemptId, revision })
  const running = students[3]
  if (running) await startAttempt(running, { quizId: essays.quizId, attemptId: newId(), password: '' })
}

interface Test {
  quizId: string
  questionIds: string[]
}

/** Answers by the knowledge of a student, from 0 to 1. */
function answersOf(knowledge: number): AnswerValue[] {
  const pick = (needed: number, wrong = 'b'): AnswerValue => ({
    type: 'single',
    optionId: knowledge > needed ? 'a' : wrong,
  })
  return [
    pick(0.1),
    pick(0.35, 'c'),
    { type: 'single', optionId: knowledge > 0.4 ? 'b' : 'a' },
    { type: 'trueFalse', value: knowledge > 0.25 },
  ]
}

async function makeAttempt(
  student: Actor,
  { quizId, questionIds }: Test,
  answers: readonly AnswerValue[],
  { hoursAgo, pace }: { hoursAgo: number; pace: number },
): Promise<string> {
  const startedAt = Date.now() - hoursAgo * HOUR
  const after = (steps: number) => new Date(startedAt + steps * pace * 1000)
  const { attemptId } = await startAttempt(student, { quizId, attemptId: newId(), password: '' }, after(0))
  for (const [index, value] of answers.entries()) {
    const questionId = questionIds[index] ?? ''
    await saveDemoAnswer(student, { attemptId, questionId, revision: 1, value }, after(index + 1))
  }
  await submitAttempt(student, { attemptId }, after(answers.length + 1))
  return attemptId
}

/** A published test of new questions. */
export async function addTest(
  author: Actor,
  courseId: string,
  title: string,
  contents: readonly QuestionContentInput[],
  settings: Partial<QuizSettings>,
): Promise<Test> {
  const quizId = newId()
  await createQuiz(author, { quizId, courseId, title })
  const questionIds: string[] = []
  for (const content of contents) {
    const questionId = newId()
    await createQuestion(author, {
      questionId,
      bankId: null,
      draft: QuestionDraft.parse({ content, tags: ['вебінар'] }),
    })
    questionIds.push(questionId)
  }
  const sections = [
    { id: newId(), pick: 'fixed' as const, questions: questionIds.map((questionId) => ({ questionId })) },
  ]
  await setSections(author, SetSections.parse({ quizId, revision: 1, sections }))
  const { revision } = await getQuiz(author, { quizId })
  await updateQuiz(author, { quizId, revision, settings })
  await publishQuiz(author, { quizId })
  return { quizId, questionIds }
}
