import { expect, test } from 'vitest'
import {
  createAnnotationInMiddle,
  moveAnnotation,
  resizeAnnotation,
  shapeFrom,
} from '#islands/homework/annotation/annotation-shape.ts'
import { formatDeadline, formatSpan } from '#islands/homework/queue/queue-clock.ts'
import { readFilter, toQuery } from '#islands/homework/queue/queue-url.ts'
import { appendText } from '#islands/homework/review/snippet-text.ts'
import { LessonDoc } from '#lib/core/shared/lesson-doc.ts'
import { fillVariables } from '#lib/core/shared/text/variables.ts'
import { Annotation } from '#lib/homework/schema.ts'

const kept = (shape: object) =>
  Annotation.safeParse({ id: 'a', fileId: '00000000-0000-4000-8000-000000000000', page: 1, shape, text: '' }).success

test('annotations stay on the page however they are drawn, moved and resized', () => {
  const trail = Array.from({ length: 5000 }, (_, n): [number, number] => [n / 4000, -0.2])
  for (const tool of ['point', 'box', 'line'] as const) {
    const drawn = shapeFrom(tool, [1.2, -0.4], [0.3, 0.9], trail)
    for (const shape of [
      drawn,
      createAnnotationInMiddle(tool),
      moveAnnotation(drawn, 3, -3),
      resizeAnnotation(drawn, 2, 2),
    ]) {
      expect(kept(shape), JSON.stringify(shape).slice(0, 80)).toBe(true)
    }
  }
  expect(shapeFrom('box', [0.6, 0.6], [0.2, 0.4], [])).toEqual({ kind: 'box', x: 0.2, y: 0.4, width: 0.4, height: 0.2 })
})

test("a snippet inserts the student's name, and leaves other braces unchanged", () => {
  const values = { name: 'Олена', lesson: 'План', course: 'Курс', task: 'Есе', attempt: '2' }
  expect(fillVariables('{name}, спроба {attempt}: {x} {toString}', values)).toBe('Олена, спроба 2: {x} {toString}')
  const doc = appendText({ type: 'doc', content: [{ type: 'paragraph' }] }, 'Раз\n\nДва')
  expect(LessonDoc.safeParse(doc).success).toBe(true)
  expect(doc.content).toHaveLength(3)
  expect(appendText(doc, 'Три').content).toHaveLength(4)
})

test('filters are restored from the URL, and invalid ones are ignored', () => {
  const id = '01a1fd62-15e0-7b37-9d3a-d56244917f9c'
  const search = `?tab=overdue&course=${id}&curator=none&q=%D0%BE&from=2026-11-01&late=1`
  expect(toQuery(readFilter(new URLSearchParams(search)))).toBe(search)
  expect(toQuery(readFilter(new URLSearchParams('?tab=x&course=1&from=someday&student=%00')))).toBe('')
})

test('time is shown in hours, and from two days on in days', () => {
  expect([formatSpan(0, 'uk'), formatSpan(47, 'uk'), formatSpan(48, 'uk'), formatSpan(24 * 5, 'uk')]).toEqual([
    '0 год',
    '47 год',
    '2 дні',
    '5 днів',
  ])
  const t = (key: string, vars?: object) => `${key} ${JSON.stringify(vars ?? {})}`
  expect(formatDeadline(t, { tone: 'none', hours: null }, 'uk')).toBe('')
  expect(formatDeadline(t, { tone: 'late', hours: 0 }, 'uk')).toContain('clock.hour')
})
