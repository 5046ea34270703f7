import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compareTexts, hasNoChanges } from '#islands/course/lesson/lesson-compare.ts'
import { mergeBlocks, mergeLessons } from '#islands/course/lesson/lesson-merge.ts'
import type { LessonNode } from '#lib/core/shared/lesson-doc.ts'
import { applyLessonChange, findChange, measureContent, updateSize } from '#lib/course/lesson/rules.ts'
import { paragraph } from '../chaos-tokens.ts'

const blocks = (...texts: string[]): LessonNode[] => texts.map(paragraph)
const texts = (content: LessonNode[] | null) => content?.map((node) => node.content?.[0]?.text ?? '') ?? null
const merge = (base: string[], mine: string[], theirs: string[], choice?: 'mine' | 'theirs' | 'both') =>
  texts(mergeBlocks({ base: blocks(...base), mine: blocks(...mine), theirs: blocks(...theirs) }, choice).content)

describe('merging two changes of one document', () => {
  test.each([
    ['different blocks', ['a', 'b', 'c'], ['A', 'b', 'c'], ['a', 'b', 'C'], ['A', 'b', 'C']],
    ['several places each', ['a', 'b', 'c', 'd'], ['A', 'b', 'C', 'd'], ['a', 'B', 'c', 'D'], ['A', 'B', 'C', 'D']],
    ['a new block here, a changed one there', ['a', 'b'], ['0', 'a', 'b'], ['a', 'B'], ['0', 'a', 'B']],
    ['a block less here, a changed one there', ['a', 'b', 'c'], ['b', 'c'], ['a', 'b', 'C'], ['b', 'C']],
    ['neighbours', ['a', 'b'], ['A', 'b'], ['a', 'B'], ['A', 'B']],
    ['the same change', ['a', 'b'], ['A', 'b'], ['A', 'b'], ['A', 'b']],
    ['only mine', ['a'], ['A'], ['a'], ['A']],
    ['only theirs', ['a'], ['a'], ['A'], ['A']],
  ])('become one: %s', (_what, base, mine, theirs, expected) => {
    expect(merge(base, mine, theirs)).toEqual(expected)
  })

  test.each([
    ['one block', ['a', 'b'], ['A', 'b'], ['Ä', 'b'], ['Ä', 'A', 'b']],
    ['a block that the other took away', ['a', 'b'], ['A', 'b'], ['b'], ['A', 'b']],
    ['new blocks in one place', ['a'], ['a', 'x'], ['a', 'y'], ['a', 'y', 'x']],
  ])('are shown to the author when they overlap: %s', (_what, base, mine, theirs, both) => {
    expect(merge(base, mine, theirs)).toBeNull()
    expect(merge(base, mine, theirs, 'mine')).toEqual(mine)
    expect(merge(base, mine, theirs, 'theirs')).toEqual(theirs)
    expect(merge(base, mine, theirs, 'both')).toEqual(both)
  })

  test('keeps changes that do not overlap, whatever is chosen for those that do', () => {
    expect(merge(['a', 'b', 'c'], ['A', 'b', 'C'], ['Ä', 'B', 'c'], 'mine')).toEqual(['A', 'B', 'C'])
    expect(merge(['a', 'b', 'c'], ['A', 'b', 'C'], ['Ä', 'B', 'c'], 'theirs')).toEqual(['Ä', 'B', 'C'])
  })

  test('ask the author when both changed the title', () => {
    const text = (title: string) => ({ title, blocks: { type: 'doc' as const, content: blocks('a') } })
    const three = { base: text('Урок'), mine: text('Мій'), theirs: text('Їхній') }
    expect(mergeLessons(three)).toBeNull()
    expect(mergeLessons(three, 'both')?.title).toBe('Мій')
    expect(mergeLessons({ ...three, mine: text('Урок') })?.title).toBe('Їхній')
  })

  test('keeps new blocks of both', () => {
    const words = fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { minLength: 1, maxLength: 8 })
    const edit = fc.array(fc.tuple(fc.nat(7), fc.boolean()), { maxLength: 4 })
    const edited = (base: string[], edits: [number, boolean][], who: string) => {
      const next = [...base]
      for (const [index, [at, replaces]] of edits.entries())
        next.splice(at % (next.length + 1), replaces ? 1 : 0, `${who}${index}`)
      return next
    }
    fc.assert(
      fc.property(words, edit, edit, fc.constantFrom(undefined, 'both' as const), (base, mine, theirs, choice) => {
        const [ours, others] = [edited(base, mine, 'm'), edited(base, theirs, 't')]
        const merged = merge(base, ours, others, choice)
        if (merged === null) return choice === undefined
        const made = [...ours, ...others].filter((text) => text.length > 1)
        return made.every((text) => merged.includes(text))
      }),
      { numRuns: 2000 },
    )
  })
})

describe('a change', () => {
  const text = fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 9 }).map((all) => blocks(...all))

  test('turns one document into the other, and is measured by its size', () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const change = findChange(before, after)
        expect(change ? applyLessonChange(before, change) : before).toEqual(after)
        if (!change) return
        const gone = before.slice(change.at, change.at + change.remove)
        expect(updateSize(measureContent(before), gone, change.insert)).toEqual(measureContent(after))
      }),
    )
  })

  test('of one letter affects one block, wherever it is', () => {
    const before = blocks(...Array.from({ length: 500 }, (_, index) => `абзац ${index}`))
    const after = before.with(250, paragraph('абзац 250!'))
    expect(findChange(before, after)).toEqual({ at: 250, remove: 1, insert: [after[250]] })
  })

  test('is empty where only the order of keys differs', () => {
    const [first, other] = [
      { type: 'image', attrs: { src: 'x', alt: 'y' } },
      { attrs: { alt: 'y', src: 'x' }, type: 'image' },
    ]
    expect(findChange([first], [other])).toBeNull()
  })
})

describe('comparing two documents', () => {
  const doc = (...content: LessonNode[]) => ({ title: 'Урок', blocks: { type: 'doc' as const, content } })

  test('shows changed words, in Ukrainian too, and counts unchanged ones', () => {
    const before = doc(...blocks('Перший абзац', 'Сьогодні ввечері ефір', 'Кінець'))
    const after = doc(...blocks('Перший абзац', 'Завтра ввечері ефір', 'Кінець', 'Додаток'))
    const lines = compareTexts(before, after, 'uk')
    expect(lines.map(({ kind }) => kind)).toEqual(['same', 'block', 'same', 'block'])
    const pieces = lines.flatMap((line) =>
      line.kind === 'block' ? line.textChanges.map(({ text, change }) => [change, text.trim()]) : [],
    )
    expect(pieces).toEqual([
      ['removed', 'Сьогодні'],
      ['added', 'Завтра'],
      ['same', 'ввечері ефір'],
      ['added', 'Додаток'],
    ])
  })

  test("reports a change of a block's type only", () => {
    const bold: LessonNode = {
      type: 'paragraph',
      content: [{ type: 'text', text: 'слова', marks: [{ type: 'bold' }] }],
    }
    expect(compareTexts(doc(paragraph('слова')), doc(bold), 'uk')).toMatchObject([{ kind: 'form', text: 'слова' }])
  })

  test('finds no difference between equal documents', () => {
    const text = doc(paragraph('слова'))
    expect(hasNoChanges(compareTexts(text, structuredClone(text), 'uk'))).toBe(true)
  })

  test('handles 400,000 characters with a bounded number of steps', () => {
    const long = Array.from({ length: 4000 }, (_, index) => `${index} ${'слово '.repeat(16)}`)
    const other = long.map((line, index) => (index % 400 === 0 ? `${line} інакше` : line))
    const since = performance.now()
    compareTexts(doc(...blocks(...long)), doc(...blocks(...other)), 'uk')
    expect(performance.now() - since).toBeLessThan(2000)
  })
})
