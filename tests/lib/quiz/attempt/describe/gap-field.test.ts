import { expect, test } from 'vitest'
import { getTranslator } from '#lib/core/i18n/i18n.ts'
import { gapField } from '#lib/quiz/attempt/describe/gap-field.ts'
import { shownIdsOf, toShownAnswer } from '#lib/quiz/attempt/describe/part-ids.ts'
import { partOrder } from '#lib/quiz/attempt/frozen/freeze.ts'
import { KEYS, sampleQuestion } from '../../../../setup/quiz/questions.ts'

const content = sampleQuestion('gapMixed')
const shownId = shownIdsOf('key', 'q')
const frozen = {
  questionId: 'q',
  version: 1,
  sectionId: 's',
  sectionTitle: '',
  points: 4,
  order: partOrder(content, false, Math.random),
}
const field = (gapId: string, disabled = false) =>
  gapField(frozen, content, gapId, {
    t: getTranslator('uk'),
    disabled,
    value: toShownAnswer(KEYS.gapMixed, shownId),
    shownId,
  })

test('a gap with several answers is a named group of checkboxes with the saved ones checked', () => {
  const html = field('g4')
  expect(html).toMatch(/^<span [^>]*role="group" aria-label="Пропуск 4">/)
  const boxes = html.match(/<input [^>]*>/g) ?? []
  expect(boxes.map((box) => [/type="checkbox"/.test(box), / checked/.test(box)])).toEqual([
    [true, true],
    [true, false],
    [true, true],
  ])
  expect(new Set(boxes.map((box) => /name="([^"]+)"/.exec(box)?.[1])).size).toBe(1)
  expect(html).toMatch(/<label [^>]*>.*прозору/)
})

test('a gap for a number has a note about what was typed', () => {
  const html = field('g1')
  const noteId = /aria-describedby="([^"]+)"/.exec(html)?.[1]
  expect(html).toContain('inputmode="decimal"')
  expect(html).toContain('value="99,8"')
  expect(html).toContain(`<span id="${noteId}" class="field-hint" role="status" data-number-note>`)
})

test('a gap with a list has the saved option selected, and fields of a finished attempt are disabled', () => {
  expect(field('g3')).toMatch(
    /^<select [^>]*aria-label="Пропуск 3"><option value="">…<\/option><option [^>]*selected>пару</,
  )
  for (const gap of ['g1', 'g2', 'g3', 'g4']) expect(field(gap, true)).toContain(' disabled')
  expect(field('unknown')).toBe('')
})
