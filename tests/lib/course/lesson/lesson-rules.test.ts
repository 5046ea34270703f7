import { describe, expect, test } from 'vitest'
import { LESSON_LIMITS, type LessonNode } from '#lib/core/shared/lesson-doc.ts'
import {
  applyLessonChange,
  findChange,
  isSameNode,
  isTooLarge,
  measureContent,
  updateSize,
} from '#lib/course/lesson/rules.ts'

const paragraph = (text: string): LessonNode => ({ type: 'paragraph', content: [{ type: 'text', text }] })
const [a, b, c] = [paragraph('один два'), paragraph('три'), paragraph('чотири')]

describe('the size of a lesson', () => {
  test('counts nodes, characters and words of its blocks', () => {
    expect(measureContent([a, b])).toEqual({ nodes: 4, characters: 11, words: 3 })
    expect(measureContent([])).toEqual({ nodes: 0, characters: 0, words: 0 })
  })

  test('after a change equals a new measurement', () => {
    expect(updateSize(measureContent([a, b]), [a], [c, c])).toEqual(measureContent([c, c, b]))
  })

  test('has limits that count the document node too', () => {
    const { nodes, characters } = LESSON_LIMITS
    expect(isTooLarge({ nodes: nodes - 1, characters, words: 0 })).toBe(false)
    expect(isTooLarge({ nodes, characters, words: 0 })).toBe(true)
    expect(isTooLarge({ nodes: 1, characters: characters + 1, words: 0 })).toBe(true)
  })
})

describe('the change between two texts', () => {
  test.each([
    ['in the middle', [a, b, c], [a, c, c], { at: 1, remove: 1, insert: [c] }],
    ['before several equal blocks', [a, b, a, b], [a, c, a, b], { at: 1, remove: 1, insert: [c] }],
    ['at the end', [a], [a, b], { at: 1, remove: 0, insert: [b] }],
    ['at the beginning', [b], [a, b], { at: 0, remove: 0, insert: [a] }],
    ['that takes a repeated block away', [a, a, a], [a, a], { at: 2, remove: 1, insert: [] }],
    ['of everything', [a], [], { at: 0, remove: 1, insert: [] }],
  ])('%s', (_name, before, after, change) => {
    expect(findChange(before, after)).toEqual(change)
    expect(applyLessonChange(before, change)).toEqual(after)
  })

  test('is none between equal texts', () => {
    expect(findChange([a, b], [paragraph('один два'), b])).toBeNull()
  })
})

describe('two blocks are equal', () => {
  test.each([
    [{ type: 'x', attrs: { a: 1, b: [1, 2] } }, { attrs: { b: [1, 2], a: 1 }, type: 'x' }, true],
    [{ a: 1, b: undefined }, { a: 1 }, true],
    [{ a: undefined }, { b: 1 }, false],
    [{ a: 1, b: undefined }, { a: 1, c: 2 }, false],
    [{ a: 1 }, { a: 2 }, false],
    [{ a: 1 }, { b: 1 }, false],
    [[1, 2], [1], false],
    [[1, 2], [2, 1], false],
    [[1, 2], [1, 3], false],
    [[1], [1, 2], false],
    [[1], { 0: 1 }, false],
    [{ 0: 1 }, [1], false],
    [[], {}, false],
    [null, {}, false],
    [{}, null, false],
    [null, null, true],
    ['a', 'b', false],
    ['a', ['a'], false],
    [['a'], 'a', false],
    [{}, 'a', false],
    ['a', {}, false],
  ])('%j, %j: %s', (first, other, same) => {
    expect(isSameNode(first, other)).toBe(same)
  })
})
