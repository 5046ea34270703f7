import type { QuestionType } from '#lib/core/shared/quiz.ts'
import { plainRichText } from '#lib/quiz/question/rich-text-schema.ts'
import {
  type AnswerValue,
  QuestionContent,
  type QuestionContentInput,
  type QuestionContentOfType,
} from '#lib/quiz/question/schema.ts'

const text = plainRichText

const IMAGE_ID = '01a1fbc8-ab31-71dc-9f85-29f843092a13'

const INPUTS: { [T in QuestionType]: QuestionContentInput & { type: T } } = {
  single: {
    type: 'single',
    stem: text('Столиця України?'),
    options: [
      { id: 'a', content: text('Київ'), fraction: 1, explanation: text('Так, з 1991 року.') },
      { id: 'b', content: text('Львів'), fraction: 0 },
      { id: 'c', content: text('Харків'), fraction: 0 },
    ],
  },
  multiple: {
    type: 'multiple',
    stem: text('Які числа парні?'),
    points: 3,
    options: [
      { id: 'a', content: text('2'), fraction: 0.5 },
      { id: 'b', content: text('3'), fraction: 0 },
      { id: 'c', content: text('4'), fraction: 0.5 },
      { id: 'd', content: text('5'), fraction: -0.5 },
    ],
  },
  trueFalse: { type: 'trueFalse', stem: text('Вода кипить при 100 °C.'), correct: true },
  shortText: {
    type: 'shortText',
    stem: text('Автор «Кобзаря»?'),
    accepted: [
      { id: 'a', text: 'Тарас Шевченко', fraction: 1 },
      { id: 'b', text: 'Шевченко', fraction: 0.5 },
    ],
  },
  number: {
    type: 'number',
    stem: text('Число π?'),
    accepted: [{ id: 'a', kind: 'value', value: '3.14', tolerance: '0.01', fraction: 1 }],
  },
  essay: { type: 'essay', stem: text('Опишіть свій досвід.'), points: 5 },
  fileUpload: { type: 'fileUpload', stem: text('Додайте креслення.'), points: 4 },
  matching: {
    type: 'matching',
    stem: text('З’єднайте країни й столиці.'),
    points: 2,
    prompts: [
      { id: 'p1', content: text('Україна'), choiceId: 'c1' },
      { id: 'p2', content: text('Польща'), choiceId: 'c2' },
    ],
    choices: [
      { id: 'c1', content: text('Київ') },
      { id: 'c2', content: text('Варшава') },
      { id: 'c3', content: text('Прага') },
    ],
  },
  ordering: {
    type: 'ordering',
    stem: text('Упорядкуйте від меншого.'),
    points: 3,
    items: ['1', '2', '3', '4'].map((content) => ({ id: `i${content}`, content: text(content) })),
  },
  gapText: {
    type: 'gapText',
    stem: text('Реве та [[g1]] Дніпр [[g2]].'),
    points: 2,
    gaps: [
      { id: 'g1', accepted: [{ id: 'a', text: 'стогне', fraction: 1 }] },
      { id: 'g2', accepted: [{ id: 'a', text: 'широкий', fraction: 1 }] },
    ],
  },
  gapSelect: {
    type: 'gapSelect',
    stem: text('Сонце [[g1]] на сході.'),
    gaps: [
      {
        id: 'g1',
        options: [
          { id: 'a', text: 'сходить', fraction: 1 },
          { id: 'b', text: 'сідає', fraction: 0 },
        ],
      },
    ],
  },
  gapMixed: {
    type: 'gapMixed',
    stem: text('Вода кипить за [[g1]] °C, [[g2]] її на [[g3]]: [[g4]].'),
    points: 4,
    gaps: [
      { kind: 'number', id: 'g1', accepted: [{ id: 'a', kind: 'value', value: '100', tolerance: '0.5', fraction: 1 }] },
      { kind: 'text', id: 'g2', accepted: [{ id: 'a', text: 'перетворюючи', fraction: 1 }] },
      {
        kind: 'menu',
        id: 'g3',
        options: [
          { id: 'a', text: 'пару', fraction: 1 },
          { id: 'b', text: 'лід', fraction: 0 },
        ],
      },
      {
        kind: 'several',
        id: 'g4',
        options: [
          { id: 'a', text: 'прозору', fraction: 0.5 },
          { id: 'b', text: 'тверду', fraction: 0 },
          { id: 'c', text: 'гарячу', fraction: 0.5 },
        ],
      },
    ],
  },
  hotspot: {
    type: 'hotspot',
    stem: text('Покажіть серце.'),
    imageFileId: IMAGE_ID,
    imageAlt: 'Будова тіла',
    regions: [
      {
        id: 'r1',
        label: 'Серце',
        shape: { kind: 'rectangle', x: 0.4, y: 0.2, width: 0.2, height: 0.2 },
        correct: true,
      },
      {
        id: 'r2',
        label: 'Печінка',
        shape: { kind: 'ellipse', x: 0.5, y: 0.7, radiusX: 0.1, radiusY: 0.1 },
        correct: false,
      },
    ],
  },
  scale: { type: 'scale', stem: text('Оцініть від 1 до 5.'), min: 1, max: 5, correct: { min: 4, max: 5 } },
}

/** A complete question of a type. */
export function sampleQuestion<T extends QuestionType>(type: T): QuestionContentOfType<T> {
  return QuestionContent.parse(INPUTS[type]) as QuestionContentOfType<T>
}

/** The right answer to `sampleQuestion`; any answer for types that are marked by a reviewer. */
export const KEYS: Record<QuestionType, AnswerValue> = {
  single: { type: 'single', optionId: 'a' },
  multiple: { type: 'multiple', optionIds: ['a', 'c'] },
  trueFalse: { type: 'trueFalse', value: true },
  shortText: { type: 'shortText', text: ' тарас  шевченко ' },
  number: { type: 'number', text: '3,15' },
  essay: { type: 'essay', text: 'Досвід' },
  fileUpload: { type: 'fileUpload', fileIds: [IMAGE_ID] },
  matching: { type: 'matching', choices: { p1: 'c1', p2: 'c2' } },
  ordering: { type: 'ordering', itemIds: ['i1', 'i2', 'i3', 'i4'] },
  gapText: { type: 'gapText', gaps: { g1: 'Стогне', g2: 'широкий' } },
  gapSelect: { type: 'gapSelect', gaps: { g1: 'a' } },
  gapMixed: { type: 'gapMixed', texts: { g1: '99,8', g2: 'Перетворюючи' }, chosen: { g3: ['a'], g4: ['a', 'c'] } },
  hotspot: { type: 'hotspot', points: [{ x: 0.5, y: 0.3 }] },
  scale: { type: 'scale', value: 5 },
}

/** A wrong answer to `sampleQuestion`. */
export const WRONG: Record<Exclude<QuestionType, 'essay' | 'fileUpload'>, AnswerValue> = {
  single: { type: 'single', optionId: 'b' },
  multiple: { type: 'multiple', optionIds: ['b', 'd'] },
  trueFalse: { type: 'trueFalse', value: false },
  shortText: { type: 'shortText', text: 'Іван Франко' },
  number: { type: 'number', text: '3.16' },
  matching: { type: 'matching', choices: { p1: 'c2', p2: 'c1' } },
  ordering: { type: 'ordering', itemIds: ['i4', 'i3', 'i2', 'i1'] },
  gapText: { type: 'gapText', gaps: { g1: 'мовчить', g2: 'вузький' } },
  gapSelect: { type: 'gapSelect', gaps: { g1: 'b' } },
  gapMixed: { type: 'gapMixed', texts: { g1: '90', g2: 'ні' }, chosen: { g3: ['b'], g4: ['b'] } },
  hotspot: { type: 'hotspot', points: [{ x: 0.1, y: 0.9 }] },
  scale: { type: 'scale', value: 2 },
}
