import { experimental_AstroContainer as AstroContainer } from 'astro/container'
import { expect, test } from 'vitest'
import { newId } from '#lib/core/db/id.ts'
import { getTranslator } from '#lib/core/i18n/i18n.ts'
import type { ReviewAnswerView } from '#lib/quiz/review/attempt-answers.ts'

type Component = Parameters<AstroContainer['renderToString']>[0]

// By a pattern, because the type checker of this file does not support .astro files.
const COMPONENTS = import.meta.glob<{ default: Component }>('../../../src/pages/test/_review/AnswerCard.astro', {
  eager: true,
})
const t = getTranslator('uk')

async function renderCard(answer: Pick<ReviewAnswerView, 'type' | 'key'>): Promise<string> {
  const component = Object.values(COMPONENTS)[0]
  if (!component) throw new Error('there is no answer card')
  const container = await AstroContainer.create()
  const view = {
    questionId: newId(),
    number: 1,
    stem: '<p>Питання</p>',
    answer: '<p>4</p>',
    hasAnswer: true,
    files: [],
    points: 1000,
    autoScore: null,
    needsMark: false,
    spentSeconds: 0,
    isRegraded: false,
    ...answer,
  }
  const props = { answer: view, mark: undefined, failed: null, isEditable: false, t, locale: 'uk' }
  return container.renderToString(component.default, { props })
}

test('a question without a key says who scores it', async () => {
  const scale = await renderCard({ type: 'scale', key: null })
  expect(scale).toContain(t('review:anyAnswer'))
  expect(scale).not.toContain(t('review:noKey'))
  const essay = await renderCard({ type: 'essay', key: null })
  expect(essay).toContain(t('review:noKey'))
  expect(essay).not.toContain(t('review:anyAnswer'))
})

test('the key of a question is shown instead', async () => {
  const html = await renderCard({ type: 'scale', key: '<p>5</p>' })
  expect(html).toContain('<p>5</p>')
  expect(html).not.toContain(t('review:anyAnswer'))
})
