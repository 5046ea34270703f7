import { describe, expect, test } from 'vitest'
import { findHints } from '#islands/editor/hints.ts'
import type { LessonNode } from '#lib/core/shared/lesson-doc.ts'

const heading = (level: number, words = 'Так'): LessonNode => ({
  type: 'heading',
  attrs: { level },
  content: words ? [{ type: 'text', text: words }] : [],
})
const link = (text: string): LessonNode => ({
  type: 'paragraph',
  content: [{ type: 'text', text, marks: [{ type: 'link', attrs: { href: '/x' } }] }],
})
const image = (alt?: string): LessonNode => ({ type: 'image', attrs: { src: '/v1/file/x', ...(alt ? { alt } : {}) } })
const kinds = (...content: LessonNode[]) => findHints({ type: 'doc', content }).map(({ kind }) => kind)

describe('a hint advises', () => {
  test('to describe images, in galleries too', () => {
    expect(kinds(image(), image('Сцена'), { type: 'gallery', content: [image(), image(' ')] })).toEqual([
      'alt',
      'alt',
      'alt',
    ])
  })
  test('to keep headings in order', () => {
    expect(kinds(heading(2), heading(3), heading(4), heading(2), heading(4))).toEqual(['order'])
    expect(kinds(heading(3))).toEqual(['order'])
  })
  test('to fill an empty heading', () => expect(kinds(heading(2, ''))).toEqual(['emptyHeading']))
  test('to describe where links lead', () => {
    expect(kinds(link('тут'), link('Click here!'), link('https://example.com/a'), link('Правила школи'))).toEqual([
      'linkWords',
      'linkWords',
      'linkWords',
    ])
  })
  test('about unfinished uploads and tests without a choice', () => {
    const upload = { type: 'upload', attrs: { key: 'k', fileId: null, name: 'x' } }
    expect(kinds(upload, { type: 'test', attrs: { testId: null } })).toEqual(['upload', 'test'])
  })
})

test('a hint leads to its block', () => {
  const [hint] = findHints({ type: 'doc', content: [heading(2), { type: 'gallery', content: [image()] }] })
  expect(hint).toEqual({ kind: 'alt', index: 1, nth: 0 })
})
