import { describe, expect, test } from 'vitest'
import { QUESTION_TYPES } from '#lib/core/shared/quiz.ts'
import { fieldOf, fieldTexts, isSameAnswer, readAnswer } from '#lib/quiz/attempt/form-rules.ts'
import { KEYS } from '../../../setup/quiz/questions.ts'

const form = (entries: [string, string][]) => {
  const data = new FormData()
  for (const [name, value] of entries) data.append(name, value)
  return data
}
const q = (type: Parameters<typeof readAnswer>[0]['type'], partIds: string[] = []) => ({
  questionId: 'q',
  type,
  partIds,
})

describe('the answer of a form', () => {
  test('of an ordering follows the chosen positions; equal ones keep the shown order', () => {
    const fields: [string, string][] = [
      [fieldOf('q', 'a'), '3'],
      [fieldOf('q', 'b'), '1'],
      [fieldOf('q', 'c'), '1'],
    ]
    expect(readAnswer(q('ordering', ['a', 'b', 'c']), form(fields))).toEqual({
      type: 'ordering',
      itemIds: ['b', 'c', 'a'],
    })
    expect(readAnswer(q('ordering', ['a', 'b', 'c']), form([]))).toBeNull()
  })

  test('of a picture takes percent with a point or comma, and omits points outside', () => {
    const fields: [string, string][] = [
      [fieldOf('q', 'p0.x'), '12,5'],
      [fieldOf('q', 'p0.y'), '50'],
      [fieldOf('q', 'p1.x'), '120'],
      [fieldOf('q', 'p1.y'), '50'],
    ]
    expect(readAnswer(q('hotspot', ['p0', 'p1']), form(fields))).toEqual({
      type: 'hotspot',
      points: [{ x: 0.125, y: 0.5 }],
    })
  })

  test('of an essay keeps its lines, and spaces alone are no answer', () => {
    expect(readAnswer(q('essay'), form([[fieldOf('q'), 'а\r\nб']]))).toEqual({ type: 'essay', text: 'а\nб' })
    expect(readAnswer(q('essay'), form([[fieldOf('q'), '  ']]))).toBeNull()
  })
})

const PARTS: Record<string, string[]> = {
  matching: ['p1', 'p2'],
  ordering: ['i2', 'i1', 'i4', 'i3'],
  gapText: ['g1', 'g2'],
  gapSelect: ['g1'],
  hotspot: ['p0'],
  gapMixed: ['g1', 'g2'],
}
const CHOICE_PARTS: Record<string, string[]> = { gapMixed: ['g3', 'g4'] }

test.each(QUESTION_TYPES)('the fields of an answer of the type %s are read as the same answer', (type) => {
  const partIds = PARTS[type] ?? []
  const choicePartIds = CHOICE_PARTS[type] ?? []
  const entries = [...fieldTexts({ questionId: 'q', partIds, choicePartIds }, KEYS[type])]
  const data = form(entries.flatMap(([name, texts]) => texts.map((text): [string, string] => [name, text])))
  expect(readAnswer({ ...q(type, partIds), choicePartIds }, data)).toEqual(KEYS[type])
  const empty = form(
    [...fieldTexts({ questionId: 'q', partIds, choicePartIds }, null)]
      .filter(([name]) => type !== 'multiple' && type !== 'fileUpload' && name)
      .map(([name]) => [name, '']),
  )
  expect(readAnswer({ ...q(type, partIds), choicePartIds }, empty)).toBeNull()
})

test('answers are the same whatever the order of their keys and of chosen options', () => {
  const multiple = (...optionIds: string[]) => ({ type: 'multiple' as const, optionIds })
  expect(isSameAnswer(multiple('a', 'b'), multiple('b', 'a'))).toBe(true)
  expect(isSameAnswer(multiple('a'), multiple('b', 'a'))).toBe(false)
  const gaps = (values: Record<string, string>) => ({ type: 'gapText' as const, gaps: values })
  expect(isSameAnswer(gaps({ g1: 'x', g2: 'y' }), gaps({ g2: 'y', g1: 'x' }))).toBe(true)
  const order = (...itemIds: string[]) => ({ type: 'ordering' as const, itemIds })
  expect(isSameAnswer(order('a', 'b'), order('b', 'a'))).toBe(false)
  expect(isSameAnswer(null, order('a'))).toBe(false)
})
