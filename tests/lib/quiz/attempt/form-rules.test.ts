import { describe, expect, test } from 'vitest'
import { fieldOf, readAnswer } from '#lib/quiz/attempt/form-rules.ts'

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

  test('of a picture takes percent with a point or comma, and leaves out points outside', () => {
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
