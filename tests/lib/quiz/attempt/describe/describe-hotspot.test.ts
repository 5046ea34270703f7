import { expect, test } from 'vitest'
import { getTranslator } from '#lib/core/i18n/i18n.ts'
import type { RenderContext } from '#lib/course/lesson/render-context.ts'
import { describePoints, describeRegions } from '#lib/quiz/attempt/describe/describe-hotspot.ts'
import { sampleQuestion } from '../../../../setup/quiz/questions.ts'

const content = { ...sampleQuestion('hotspot'), imageAlt: 'Схема "А" <1>' }
const picture = { src: '/picture?a=1&b=2', avif: '', webp: '', width: 10, height: 10 }
const withPictures = (pictures: RenderContext['pictures']): RenderContext => ({
  pictures,
  files: new Map(),
  t: getTranslator('uk'),
  locale: 'uk',
})
const render = withPictures(new Map([[content.imageFileId ?? '', picture]]))

test('the points of an answer stand on the picture and follow as text', () => {
  const html = describePoints(content, { type: 'hotspot', points: [{ x: 0.123, y: 0.5 }] }, render)
  expect(html).toContain('<img src="/picture?a=1&amp;b=2" alt="Схема &quot;А&quot; &lt;1&gt;">')
  expect(html).toContain('<svg x="12.3%" y="50%"')
  expect(html).toContain('<li>12 % × 50 %</li>')
})

test('the key shows right regions only', () => {
  const html = describeRegions(content, render)
  const right = content.regions.filter(({ correct }) => correct)
  expect(html.match(/<(rect|ellipse|polygon) /g)).toHaveLength(right.length)
  for (const { label, correct } of content.regions) expect(html.includes(label)).toBe(correct)
})

test('without the picture the text remains', () => {
  const html = describePoints(content, { type: 'hotspot', points: [{ x: 0.1, y: 0.2 }] }, withPictures(new Map()))
  expect(html).toBe('<ol class="hotspot-coordinates"><li>10 % × 20 %</li></ol>')
})
