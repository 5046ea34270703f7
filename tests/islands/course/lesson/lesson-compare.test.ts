import { describe, expect, test } from 'vitest'
import { compareTexts } from '#islands/course/lesson/lesson-compare.ts'
import type { LessonNode } from '#lib/core/shared/lesson-doc.ts'

const text = (...content: LessonNode[]) => ({ title: 'Урок', blocks: { type: 'doc' as const, content } })
const paragraph = (words: string): LessonNode => ({ type: 'paragraph', content: [{ type: 'text', text: words }] })
const image = (id: string): LessonNode => ({ type: 'image', attrs: { src: `/v1/file/${id}`, alt: '' } })
const video = (fileId: string): LessonNode => ({ type: 'video', attrs: { fileId } })
const file = (name: string): LessonNode => ({ type: 'file', attrs: { fileId: 'f', name } })

/** Added and removed items as text. */
const things = (before: ReturnType<typeof text>, after: ReturnType<typeof text>) =>
  compareTexts(before, after, 'uk').flatMap((line) =>
    line.kind === 'same' ? [] : line.blockChanges.map(({ node, change }) => `${change} ${node.type}`),
  )

describe('two versions of a lesson', () => {
  test('show added and removed images, media and files', () => {
    const before = text(paragraph('Так'), image('a'), file('План.pdf'))
    const after = text(paragraph('Так'), video('b'), file('План.pdf'))
    expect(things(before, after)).toEqual(['removed image', 'added video'])
  })

  test('show a replaced image', () => {
    expect(things(text(image('a')), text(image('b')))).toEqual(['removed image', 'added image'])
  })

  test('show changes inside columns and galleries next to changed words', () => {
    const columns = (words: string, ...inside: LessonNode[]): LessonNode => ({
      type: 'columns',
      content: [
        { type: 'column', content: [paragraph(words)] },
        { type: 'column', content: inside },
      ],
    })
    const lines = compareTexts(text(columns('Один', image('a'))), text(columns('Два', image('a'), file('b'))), 'uk')
    expect(lines).toHaveLength(1)
    expect(lines[0]).toMatchObject({
      kind: 'block',
      textChanges: [
        { text: 'Один', change: 'removed' },
        { text: 'Два', change: 'added' },
      ],
      blockChanges: [{ change: 'added', node: { type: 'file' } }],
    })
  })

  test('describe images without alternative text and empty headings as text', () => {
    const lines = compareTexts(text(), text(image('a'), { type: 'heading', attrs: { level: 2 } }), 'uk')
    expect(lines.map((line) => (line.kind === 'block' ? line.textChanges : null))).toEqual([[], []])
  })
})
