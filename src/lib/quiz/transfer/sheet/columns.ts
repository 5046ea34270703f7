import { QUESTION_TYPES, type QuestionType } from '#lib/core/shared/quiz.ts'

/** Maximum number of answers of one question in a table, four columns each. */
export const MAX_ANSWERS = 45

export const COLUMNS = [
  'type',
  'question',
  'points',
  'difficulty',
  'tags',
  'language',
  'explanation',
  'settings',
  'correct',
] as const
/** `options`: all options of a question in one cell, only in tables of other products. */
export type Column = (typeof COLUMNS)[number] | 'options'
/** Columns of each answer, with its number: `answer 1`, `match 1` ... */
export const ANSWER_COLUMNS = ['answer', 'match', 'share', 'answer explanation'] as const
export type AnswerColumn = (typeof ANSWER_COLUMNS)[number]

// Also in Ukrainian: «тип», «запитання» or «питання», «бали», «складність», «теги» or «мітки», «мова», «пояснення»,
// «налаштування», «правильна ...», «варіант» or «відповідь», «пара», «частка».
const HEADINGS: readonly (readonly [RegExp, Column])[] = [
  [/^((question |item )?type|\u0442\u0438\u043f)/, 'type'],
  [/^(question|stem|\u0437\u0430\u043f\u0438\u0442|\u043f\u0438\u0442\u0430\u043d)/, 'question'],
  [/^(points|score|\u0431\u0430\u043b)/, 'points'],
  [/^(difficulty|\u0441\u043a\u043b\u0430\u0434)/, 'difficulty'],
  [/^(tags?|\u0442\u0435\u0433|\u043c\u0456\u0442\u043a)/, 'tags'],
  [/^(language|\u043c\u043e\u0432\u0430)/, 'language'],
  [/^(explanation|feedback|\u043f\u043e\u044f\u0441\u043d)/, 'explanation'],
  [/^(settings|\u043d\u0430\u043b\u0430\u0448\u0442)/, 'settings'],
  [/^(correct|right|key|answer key|\u043f\u0440\u0430\u0432\u0438\u043b\u044c\u043d)/, 'correct'],
  [/^answer explanation$/, 'explanation'],
  [/^(options|choices|\u0432\u0430\u0440\u0456\u0430\u043d\u0442\u0438)/, 'options'],
  [/^(answers?|\u0432\u0456\u0434\u043f\u043e\u0432\u0456\u0434[\u0456\u044c])$/, 'correct'],
]
const ANSWER_HEADINGS: readonly (readonly [RegExp, AnswerColumn])[] = [
  [
    /^(answer|option) explanation|^\u043f\u043e\u044f\u0441\u043d\u0435\u043d\u043d\u044f (\u0432\u0456\u0434\u043f\u043e\u0432\u0456\u0434\u0456|\u0432\u0430\u0440\u0456\u0430\u043d\u0442\u0430)/,
    'answer explanation',
  ],
  [
    /^(answer|option|choice|\u0432\u0430\u0440\u0456\u0430\u043d\u0442|\u0432\u0456\u0434\u043f\u043e\u0432\u0456\u0434\u044c)/,
    'answer',
  ],
  [/^(match|\u043f\u0430\u0440\u0430)/, 'match'],
  [/^(share|\u0447\u0430\u0441\u0442\u043a\u0430)/, 'share'],
]

export type ColumnMeaning = { column: Column } | { column: AnswerColumn; number: number } | null

/** The meaning of a column by its heading; null for an unknown one. */
export function columnMeaning(heading: string): ColumnMeaning {
  const name = heading.normalize().trim().toLowerCase()
  // Other products describe the column after its number: `Answer 1 - max 75 characters`.
  const number = /^[^\d(]*\b(\d{1,2})\b/.exec(name)?.[1] ?? /\s([a-z])$/.exec(name)?.[1]
  if (number !== undefined) {
    const answer = ANSWER_HEADINGS.find(([pattern]) => pattern.test(name))?.[1]
    const place = /\d/.test(number) ? Number(number) : number.charCodeAt(0) - 96
    if (answer && place >= 1 && place <= 50) return { column: answer, number: place }
  }
  const column = HEADINGS.find(([pattern]) => pattern.test(name))?.[1]
  return column ? { column } : null
}

const TYPE_NAMES: readonly (readonly [RegExp, QuestionType])[] = [
  [/^(single|mc|multiple choice$|radio|dropdown|\u043e\u0434\u0438\u043d)/, 'single'],
  [/^(multiple|multi|checkbox|multiple answers?|\u043a\u0456\u043b\u044c\u043a\u0430)/, 'multiple'],
  [/^(true.?false|tf|yes|\u0442\u0430\u043a|\u043f\u0440\u0430\u0432\u0434\u0430)/, 'trueFalse'],
  [/^(short|text|fill|\u043a\u043e\u0440\u043e\u0442\u043a)/, 'shortText'],
  [/^(number|numeric|\u0447\u0438\u0441\u043b)/, 'number'],
  [/^(essay|long|paragraph|open|\u0435\u0441\u0435|\u0440\u043e\u0437\u0433\u043e\u0440\u043d)/, 'essay'],
  [/^(file|upload|\u0444\u0430\u0439\u043b)/, 'fileUpload'],
  [/^(match|\u0432\u0456\u0434\u043f\u043e\u0432\u0456\u0434\u043d)/, 'matching'],
  [/^(order|sequence|\u043f\u043e\u0440\u044f\u0434\u043e\u043a|\u043f\u043e\u0441\u043b\u0456\u0434)/, 'ordering'],
]

/** A type by its name in the table; undefined for an unknown one. */
export function typeByName(name: string): QuestionType | undefined {
  const text = name.normalize().trim().replaceAll('_', ' ')
  return (
    QUESTION_TYPES.find((type) => type === text) ??
    TYPE_NAMES.find(([pattern]) => pattern.test(text.toLowerCase()))?.[1]
  )
}
