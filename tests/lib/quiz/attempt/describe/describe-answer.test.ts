import { expect, test } from 'vitest'
import { acceptedNumberText, gapKeyOf } from '#lib/quiz/attempt/describe/describe-answer.ts'
import { sampleQuestion } from '../../../../setup/quiz/questions.ts'

test.each([
  [{ kind: 'value', value: '3.14', tolerance: '0.01' }, '3,14 ± 0,01', '3.14 ± 0.01'],
  [{ kind: 'value', value: '-2.5', tolerance: '0' }, '-2,5', '-2.5'],
  [{ kind: 'value', value: '100', tolerance: '0.0' }, '100', '100'],
  [{ kind: 'range', min: '0.5', max: '1.5' }, '0,5 … 1,5', '0.5 … 1.5'],
] as const)('the right number %j is written in the language of the reader', (entry, uk, en) => {
  const accepted = { ...entry, id: 'a', fraction: 1, explanation: null }
  expect([acceptedNumberText(accepted, 'uk'), acceptedNumberText(accepted, 'en')]).toEqual([uk, en])
})

test('the right answers of mixed gaps are written in the language of the reader', () => {
  const keys = sampleQuestion('gapMixed').gaps.map((gap) => gapKeyOf(gap, 'uk'))
  expect(keys).toEqual(['100 ± 0,5', 'перетворюючи', 'пару', 'прозору; гарячу'])
})
