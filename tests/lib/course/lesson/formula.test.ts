import { describe, expect, test } from 'vitest'
import { countWords, LessonDoc } from '#lib/core/shared/lesson-doc.ts'
import { renderLesson } from '#lib/course/lesson/render.ts'

const doc = (latex: string): LessonDoc => ({
  type: 'doc',
  content: [
    { type: 'paragraph', content: [{ type: 'inlineMath', attrs: { latex } }] },
    { type: 'blockMath', attrs: { latex } },
  ],
})

describe('a formula', () => {
  test('is rendered as MathML on the server, within a line and as a block', () => {
    const html = renderLesson(doc('\\frac{a}{b}'))
    expect(html.match(/<mfrac><mi>a<\/mi><mi>b<\/mi><\/mfrac>/g)).toHaveLength(2)
    expect(html).toContain('<math display="block">')
    expect(html).not.toMatch(/style=|class=/)
  })

  test('that cannot be read is shown as typed, escaped', () => {
    expect(renderLesson(doc('\\frac{<script>'))).toContain('<code>\\frac{&lt;script&gt;</code>')
  })

  test('contains no links and no markup of its own', () => {
    const html = renderLesson(doc('\\href{javascript:alert(1)}{x} \\text{<img src=x onerror=alert(1)>}'))
    expect(html).not.toMatch(/<img|<a |href=/)
  })

  test('counts as content, and is bounded', () => {
    expect(countWords(doc('x'))).toBe(2)
    expect(LessonDoc.safeParse(doc('x')).success).toBe(true)
    expect(LessonDoc.safeParse(doc('x'.repeat(2001))).success).toBe(false)
  })
})
