import { expect, test } from 'vitest'
import { arrowStep, newElement, snapElement } from '#islands/certificate/geometry.ts'
import type { TemplateElement, TemplateText } from '#lib/certificate/template/schema.ts'
import { TemplateElement as ElementSchema } from '#lib/certificate/template/schema.ts'

const line = (id: string, x: number, y: number): TemplateElement => ({
  kind: 'line',
  id,
  x,
  y,
  w: 40,
  h: 2,
  color: 'brand',
})
const template = (elements: TemplateElement[]): TemplateText => ({
  name: 'Шаблон',
  pageSize: 'A4',
  orientation: 'landscape',
  background: '#ffffff',
  backgroundFileId: null,
  locale: 'uk',
  elements,
})

test('an element near the middle of the page is centered, one further away is not', () => {
  const moved = line('a', 0, 0)
  const page = template([moved])
  expect(snapElement(page, moved, { x: 129.4, y: 50 })).toEqual({ x: 128.5, y: 50, guides: { x: [148.5], y: [] } })
  expect(snapElement(page, moved, { x: 120, y: 50 })).toEqual({ x: 120, y: 50, guides: { x: [], y: [] } })
})

test('an element is aligned with the edges of others, but not with its own', () => {
  const moved = line('a', 70, 70)
  const page = template([moved, { ...line('b', 20, 100), w: 90 }])
  expect(snapElement(page, moved, { x: 20.8, y: 70.2 })).toMatchObject({ x: 20, y: 70.2, guides: { x: [20] } })
})

test('arrow keys move by one millimetre, with Shift by five', () => {
  expect(arrowStep('ArrowLeft', false)).toEqual({ x: -1, y: 0 })
  expect(arrowStep('ArrowDown', true)).toEqual({ x: 0, y: 5 })
  expect(arrowStep('Enter', false)).toBeNull()
})

test('every kind of new element fits the schema and has a unique id', () => {
  const elements: TemplateElement[] = [line('e2', 0, 0)]
  for (const kind of ['text', 'image', 'qr', 'signature', 'line'] as const) {
    const element = newElement(kind, template(elements), 'Текст')
    expect(ElementSchema.parse(element)).toEqual(element)
    expect(elements.map(({ id }) => id)).not.toContain(element.id)
    elements.push(element)
  }
})
