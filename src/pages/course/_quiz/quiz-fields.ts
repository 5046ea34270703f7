import type { z } from 'zod'
import { readInstant } from '#lib/core/http/form-date.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { LessonDoc } from '#lib/core/shared/lesson-doc.ts'
import { FEEDBACK_TIMES, GRADE_OF, NAVIGATIONS, ON_EXPIRY } from '#lib/core/shared/quiz.ts'
import type { UpdateQuiz } from '#lib/quiz/schema.ts'
import { formText } from '../../_request/form-actions.ts'

/** Maximum number of rows of feedback by result in the form, including an empty one. */
export const MAX_BANDS = 20

/** Reads the settings of a test from its form. */
export function readQuizSettings(
  form: FormData,
  { tenantTimeZone: zone }: Actor,
): z.input<typeof UpdateQuiz>['settings'] {
  const minutes = readNumberField(form, 'timeLimit')
  return {
    title: formText(form, 'title'),
    ...(form.has('description') ? { intro: documentOf(formText(form, 'description')) } : {}),
    openAt: readInstant(form, 'openAt', zone),
    closeAt: readInstant(form, 'closeAt', zone),
    timeLimitSec: minutes === null ? null : Math.round(minutes * 60),
    onExpiry: chosen(ON_EXPIRY, formText(form, 'onExpiry')),
    graceSec: readNumberField(form, 'graceSec') ?? 0,
    networkGraceSec: readNumberField(form, 'networkGraceSec') ?? 0,
    attempts: readNumberField(form, 'attempts'),
    delayMinutes: readNumberField(form, 'delayMinutes') ?? 0,
    gradeOf: chosen(GRADE_OF, formText(form, 'gradeOf')),
    passPercent: readNumberField(form, 'passPercent') ?? 0,
    shuffleQuestions: form.has('shuffleQuestions'),
    shuffleOptions: form.has('shuffleOptions'),
    perPage: readNumberField(form, 'perPage'),
    navigation: chosen(NAVIGATIONS, formText(form, 'navigation')),
    feedback: chosen(FEEDBACK_TIMES, formText(form, 'feedback')),
    show: {
      score: form.has('showScore'),
      correctness: form.has('showCorrectness'),
      correctAnswers: form.has('showCorrectAnswers'),
      explanations: form.has('showExplanations'),
    },
    gradeBands: bandsOf(form),
    negativeMarking: form.has('negativeMarking'),
    partialCredit: form.has('partialCredit'),
    password: formText(form, 'password').trim() || null,
    required: form.has('required'),
  }
}

/** Feedback by result, highest first; rows without a text are omitted. */
function bandsOf(form: FormData): { fromPercent: number; text: string }[] {
  return Array.from({ length: MAX_BANDS }, (_, index) => ({
    fromPercent: readNumberField(form, `band${index}From`) ?? 0,
    text: formText(form, `band${index}Text`).trim(),
  }))
    .filter(({ text }) => text !== '')
    .toSorted((a, b) => b.fromPercent - a.fromPercent)
}

/** Fields whose setting has another name or unit. */
export const FIELD_OF_SETTING: Readonly<Record<string, string>> = { timeLimitSec: 'timeLimit', intro: 'description' }

export function readNumberField(form: FormData, name: string): number | null {
  const typed = formText(form, name).trim().replace(',', '.')
  return typed === '' ? null : Number(typed)
}

/** Splits a field with tags at commas. */
export const splitTags = (typed: string): string[] => [
  ...new Set(
    typed
      .split(',')
      .map((tag) => tag.trim())
      .filter((tag) => tag !== ''),
  ),
]

function chosen<const T extends string>(all: readonly T[], value: string): T | undefined {
  return all.find((known) => known === value)
}

function documentOf(json: string): LessonDoc | null {
  try {
    return LessonDoc.parse(JSON.parse(json))
  } catch {
    throw new Refusal('invalid', { fields: { description: ['format'] } })
  }
}
