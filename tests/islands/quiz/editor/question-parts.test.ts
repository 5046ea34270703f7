import { expect, test } from 'vitest'
import { blankContent, nextGapId } from '#islands/quiz/editor/blank-question.ts'
import {
  addGap,
  addMarkedGaps,
  markOption,
  movePart,
  removeChoice,
  removeGap,
} from '#islands/quiz/editor/question-parts.ts'
import { QUESTION_TYPES } from '#lib/core/shared/quiz.ts'
import { plainRichText, plainTextOf } from '#lib/quiz/question/rich-text-schema.ts'
import { gapMarkersOf, questionIssues } from '#lib/quiz/question/rules.ts'
import type { QuestionContentOfType } from '#lib/quiz/question/schema.ts'

function blank<T extends QuestionContentOfType<'single'>['type'] | 'multiple' | 'matching' | 'gapText' | 'gapSelect'>(
  type: T,
) {
  const content = blankContent(type)
  if (content.type !== type) throw new Error('another type')
  return content as QuestionContentOfType<T>
}

test.each(QUESTION_TYPES)('a new question of the type %s reports that its text is missing', (type) => {
  const keys = questionIssues(blankContent(type)).map(({ key }) => key)
  expect(keys).toContain('emptyStem')
})

test('a single choice has one right option', () => {
  const content = blank('single')
  const [first, second] = content.options
  const marked = markOption(markOption(content, first?.id ?? '', true), second?.id ?? '', true)
  expect(marked.options.map(({ fraction }) => fraction)).toEqual([0, 1, 0])
})

test('right options of a multiple choice share the points; one that is no longer right gets none', () => {
  const content = blank('multiple')
  const [first, second, third] = content.options.map(({ id }) => id)
  const both = markOption(markOption(content, first ?? '', true), third ?? '', true)
  expect(both.options.map(({ fraction }) => fraction)).toEqual([0.5, 0, 0.5])
  const other = markOption(markOption(both, first ?? '', false), second ?? '', true)
  expect(other.options.map(({ fraction }) => fraction)).toEqual([0, 0.5, 0.5])
})

test('a wrong option that deducts points keeps them when another is marked', () => {
  const content = blank('multiple')
  const options = content.options.with(1, { ...content.options[1], fraction: -0.5 } as (typeof content.options)[number])
  const marked = markOption({ ...content, options }, content.options[0]?.id ?? '', true)
  expect(marked.options.map(({ fraction }) => fraction)).toEqual([1, -0.5, 0])
})

test('a part is moved by one place and stays at the ends', () => {
  expect(movePart(['a', 'b', 'c'], 1, -1)).toEqual(['b', 'a', 'c'])
  expect(movePart(['a', 'b', 'c'], 2, 1)).toEqual(['a', 'b', 'c'])
})

test('a new gap has a marker at the end of the text and a unique number', () => {
  const content = { ...blank('gapText'), stem: plainRichText('Київ стоїть на річці [[2]]') }
  const once = addMarkedGaps(content)
  expect(once.gaps.map(({ id }) => id)).toEqual(['2'])
  const twice = addGap(once)
  expect(twice.gaps.map(({ id }) => id)).toEqual(['2', '1'])
  expect(gapMarkersOf(twice.stem)).toEqual(['2', '1'])
  expect(nextGapId(twice.gaps)).toBe('3')
})

test('a removed gap leaves the text with its marker', () => {
  const content = addMarkedGaps({ ...blank('gapSelect'), stem: plainRichText('[[1]] і [[2]]') })
  const removed = removeGap(content, '1')
  expect(removed.gaps.map(({ id }) => id)).toEqual(['2'])
  expect(plainTextOf(removed.stem)).toBe('і [[2]]')
})

test('prompts lose a choice that is removed', () => {
  const content = blank('matching')
  const next = removeChoice(content, content.choices[0]?.id ?? '')
  expect(next.type === 'matching' && next.prompts.map(({ choiceId }) => choiceId)).toEqual([
    null,
    content.choices[1]?.id,
    content.choices[2]?.id,
  ])
})
