import { describe, expect, test } from 'vitest'
import { MANUAL_TYPES, QUESTION_TYPES } from '#lib/core/shared/quiz.ts'
import { fitsQuestion } from '#lib/quiz/question/answer-rules.ts'
import { plainRichText, QuestionDoc } from '#lib/quiz/question/rich-text-schema.ts'
import { type QuestionIssueKey, questionIssues, titleTextOf } from '#lib/quiz/question/rules.ts'
import { QuestionContent } from '#lib/quiz/question/schema.ts'
import { KEYS, sampleQuestion, WRONG } from '../../../setup/quiz/questions.ts'

const text = plainRichText

describe('a question', () => {
  test.each(QUESTION_TYPES)('%s is complete with its key', (type) => {
    expect(questionIssues(sampleQuestion(type))).toEqual([])
  })

  const broken: [string, unknown, QuestionIssueKey, (string | number)[]][] = [
    ['without a stem', { ...sampleQuestion('trueFalse'), stem: text('') }, 'emptyStem', ['stem']],
    [
      'of true or false without a key',
      { ...sampleQuestion('trueFalse'), correct: null },
      'noCorrectAnswer',
      ['correct'],
    ],
    [
      'of one choice without a right option',
      { ...sampleQuestion('single'), options: sampleQuestion('single').options.map((o) => ({ ...o, fraction: 0 })) },
      'noCorrectAnswer',
      ['options'],
    ],
    [
      'of one choice with two right options',
      { ...sampleQuestion('single'), options: sampleQuestion('single').options.map((o) => ({ ...o, fraction: 1 })) },
      'severalCorrectAnswers',
      ['options'],
    ],
    [
      'with an empty option',
      {
        ...sampleQuestion('single'),
        options: sampleQuestion('single').options.map((o, index) => (index === 1 ? { ...o, content: text('') } : o)),
      },
      'emptyPart',
      ['options', 1, 'content'],
    ],
    [
      'with an empty gap',
      { ...sampleQuestion('gapText'), gaps: sampleQuestion('gapText').gaps.map((gap) => ({ ...gap, accepted: [] })) },
      'emptyGap',
      ['gaps', 0, 'accepted'],
    ],
    [
      'with a marker without a gap',
      { ...sampleQuestion('gapSelect'), stem: text('[[g1]] і [[g9]]') },
      'markerWithoutGap',
      ['stem'],
    ],
    [
      'with a gap without a marker',
      { ...sampleQuestion('gapSelect'), stem: text('нема') },
      'gapWithoutMarker',
      ['gaps', 0],
    ],
    [
      'of a picture without the picture',
      { ...sampleQuestion('hotspot'), imageFileId: null },
      'noImage',
      ['imageFileId'],
    ],
    [
      'of matching with a choice that does not exist',
      {
        ...sampleQuestion('matching'),
        prompts: sampleQuestion('matching').prompts.map((prompt) => ({ ...prompt, choiceId: 'gone' })),
      },
      'unknownChoice',
      ['prompts', 0, 'choiceId'],
    ],
    [
      'of a scale whose right values are between its steps',
      { ...sampleQuestion('scale'), max: 9, step: 4, correct: { min: 2, max: 4 } },
      'unreachableAnswer',
      ['correct'],
    ],
    [
      'with a penalty above its points',
      { ...sampleQuestion('trueFalse'), penalty: 2 },
      'penaltyAbovePoints',
      ['penalty'],
    ],
    [
      'of a number with a reversed range',
      { ...sampleQuestion('number'), accepted: [{ id: 'a', kind: 'range', min: '5', max: '1', fraction: 1 }] },
      'rangeReversed',
      ['accepted', 0],
    ],
  ]
  test.each(broken)('%s is reported', (_, content, key, path) => {
    expect(questionIssues(QuestionContent.parse(content))).toContainEqual({ key, path })
  })

  test('may contain formulas, and no tasks', () => {
    const doc = (node: object) => ({ type: 'doc', content: [node] })
    expect(QuestionDoc.safeParse(doc({ type: 'blockMath', attrs: { latex: 'x^2' } })).success).toBe(true)
    expect(QuestionDoc.safeParse(doc({ type: 'test', attrs: { testId: null } })).success).toBe(false)
  })

  test('whose option is only a formula has no empty option', () => {
    const formula = { type: 'doc' as const, content: [{ type: 'blockMath', attrs: { latex: 'x^2' } }] }
    const content = sampleQuestion('single')
    expect(questionIssues({ ...content, options: content.options.map((o) => ({ ...o, content: formula })) })).toEqual(
      [],
    )
  })
})

describe('an answer', () => {
  test.each(QUESTION_TYPES)('of another type does not fit %s', (type) => {
    for (const other of QUESTION_TYPES)
      expect(fitsQuestion(sampleQuestion(type), KEYS[other]), other).toBe(other === type)
  })

  test.each(QUESTION_TYPES.filter((type) => !MANUAL_TYPES.includes(type)))('that is wrong fits %s', (type) => {
    expect(fitsQuestion(sampleQuestion(type), WRONG[type as keyof typeof WRONG])).toBe(true)
  })

  test('with ids of another question does not fit', () => {
    expect(fitsQuestion(sampleQuestion('single'), { type: 'single', optionId: 'z' })).toBe(false)
    expect(fitsQuestion(sampleQuestion('multiple'), { type: 'multiple', optionIds: ['a', 'a'] })).toBe(false)
    expect(fitsQuestion(sampleQuestion('ordering'), { type: 'ordering', itemIds: ['i1', 'i2'] })).toBe(false)
    expect(fitsQuestion(sampleQuestion('matching'), { type: 'matching', choices: { p1: 'p1' } })).toBe(false)
    expect(fitsQuestion(sampleQuestion('scale'), { type: 'scale', value: 9 })).toBe(false)
  })
})

test('titles show gaps instead of their markers, and double brackets of other questions as they are', () => {
  expect(titleTextOf(sampleQuestion('gapText'))).toBe('Реве та ___ Дніпр ___.')
  expect(titleTextOf(sampleQuestion('gapSelect'))).toBe('Сонце ___ на сході.')
  const single = { ...sampleQuestion('single'), stem: plainRichText('Що означає [[wiki]]?') }
  expect(titleTextOf(single)).toBe('Що означає [[wiki]]?')
})
