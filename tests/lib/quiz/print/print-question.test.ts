import { expect, test } from 'vitest'
import { getTranslator } from '#lib/core/i18n/i18n.ts'
import { printQuestion } from '#lib/quiz/print/print-question.ts'
import { sampleQuestion } from '../../../setup/quiz/questions.ts'

test('the options of a gap are printed in the order of the variant, not in the stored one', () => {
  const content = sampleQuestion('gapSelect')
  const frozen = { questionId: '', version: 1, sectionId: '', sectionTitle: '', points: 1, order: ['g1/b', 'g1/a'] }
  const context = { t: getTranslator('uk'), locale: 'uk' as const, letters: 'абв', answers: false }
  const printed = JSON.stringify(printQuestion(frozen, content, 1, context))
  expect(printed).toContain('(сідає / сходить)')
})
