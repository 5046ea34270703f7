import { describe, expect, test } from 'vitest'
import { getTranslator } from '#lib/core/i18n/i18n.ts'
import { countWords, filesOf, LessonDoc, type LessonNode } from '#lib/core/shared/lesson-doc.ts'
import { renderLesson, renderParts } from '#lib/course/lesson/render.ts'
import type { RenderContext, ShownFile } from '#lib/course/lesson/render-context.ts'

const ID = '01a1fbc8-ab31-71dc-9f85-29f843092a13'
const OTHER = '01a1fbc8-ab31-71dc-9f85-29f843092a14'
const FILE = `/v1/file/${ID}`

const words = (text: string): LessonNode => ({ type: 'text', text })
const paragraph = (...content: LessonNode[]): LessonNode => ({ type: 'paragraph', content })
const doc = (...content: LessonNode[]): LessonDoc => ({ type: 'doc', content })
const accepts = (value: unknown): boolean => LessonDoc.safeParse(value).success
const image: LessonNode = { type: 'image', attrs: { src: FILE, alt: 'Сцена' } }

const BLOCKS: Record<string, LessonNode> = {
  gallery: { type: 'gallery', content: [image] },
  video: { type: 'video', attrs: { fileId: ID } },
  audio: { type: 'audio', attrs: { fileId: ID } },
  file: { type: 'file', attrs: { fileId: ID, name: 'дані.csv' } },
  pdf: { type: 'pdf', attrs: { fileId: ID, name: 'план.pdf' } },
  embed: { type: 'embed', attrs: { url: 'https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ', title: 'Ефір' } },
  callout: { type: 'callout', attrs: { tone: 'tip' }, content: [paragraph(words('Порада'))] },
  button: { type: 'button', attrs: { label: 'Записатися', href: 'https://example.com' } },
  columns: {
    type: 'columns',
    content: [
      { type: 'column', content: [paragraph(words('ліворуч'))] },
      { type: 'column', content: [paragraph(words('праворуч'))] },
    ],
  },
  task: { type: 'task', attrs: { taskId: ID } },
  test: { type: 'test', attrs: { testId: null } },
  upload: { type: 'upload', attrs: { key: 'a-1', fileId: null, name: 'відео.mp4' } },
}

const TOP = ['video', 'audio', 'embed', 'columns', 'task', 'test', 'upload']

describe('a lesson accepts', () => {
  test.each(Object.entries(BLOCKS))('a block of type %s', (_, block) => expect(accepts(doc(block))).toBe(true))

  test.each(Object.entries(BLOCKS))('%s inside a callout only where it is permitted', (name, block) => {
    const callout = { type: 'callout', attrs: { tone: 'info' }, content: [block] }
    expect(accepts(doc(callout))).toBe(!TOP.includes(name))
  })
})

describe('a lesson refuses', () => {
  const bad: [string, LessonNode][] = [
    ['a frame of a site that is not on the list', { type: 'embed', attrs: { url: 'https://evil.example/embed/1' } }],
    ['the address of a video as it was copied', { type: 'embed', attrs: { url: 'https://youtu.be/dQw4w9WgXcQ' } }],
    ['a button that runs', { type: 'button', attrs: { label: 'x', href: 'javascript:alert(1)' } }],
    ['a button without words', { type: 'button', attrs: { label: '', href: '/x' } }],
    ['a video by address', { type: 'video', attrs: { fileId: 'https://evil.example/x.mp4' } }],
    ['a callout of an unknown tone', { type: 'callout', attrs: { tone: '"><script>' }, content: [paragraph()] }],
    ['one column', { type: 'columns', content: [{ type: 'column', content: [paragraph()] }] }],
    ['a column alone', { type: 'column', content: [paragraph()] }],
    ['words in a gallery', { type: 'gallery', content: [paragraph()] }],
    ['an empty gallery', { type: 'gallery', content: [] }],
  ]
  test.each(bad)('%s', (_, block) => expect(accepts(doc(block))).toBe(false))
})

const stored = (kind: ShownFile['kind'], mime: string): ShownFile => ({
  kind,
  mime,
  name: 'файл',
  size: 2_000_000,
  open: '/v1/media/open',
  download: '/v1/media/download',
})
function shown(files: Record<string, ShownFile>): RenderContext {
  const picture = { src: '/v1/media/p', avif: '', webp: '', width: 4, height: 3 }
  const pictures = Object.entries(files).filter(([, { kind }]) => kind === 'image')
  return {
    files: new Map(Object.entries(files)),
    pictures: new Map(pictures.map(([id]) => [id, picture])),
    t: getTranslator('uk'),
    locale: 'uk',
  }
}

describe('a lesson divided into parts', () => {
  test('is divided at videos, tasks and tests, in its order', () => {
    const { video = paragraph(), task = paragraph(), test: slot = paragraph() } = BLOCKS
    const parts = renderParts(
      doc(paragraph(words('Раз')), paragraph(words('Два')), video, task, paragraph(words('Три')), slot),
      shown({ [ID]: stored('video', 'video/mp4') }),
    )
    expect(parts).toEqual([
      { kind: 'html', html: '<p>Раз</p><p>Два</p>' },
      { kind: 'media', fileId: ID },
      { kind: 'task', taskId: ID },
      { kind: 'html', html: '<p>Три</p>' },
      { kind: 'test', testId: null },
    ])
  })

  test('omits files deleted from the storage', () => {
    const { video = paragraph(), file = paragraph(), gallery = paragraph() } = BLOCKS
    expect(renderParts(doc(video, file, image, gallery), shown({}))).toEqual([])
  })

  test('shows an uploaded file by its real type', () => {
    const upload = (fileId: string) => ({ type: 'upload', attrs: { key: 'k', fileId, name: 'план.pdf' } })
    const parts = renderParts(
      doc(upload(ID), upload(OTHER)),
      shown({ [ID]: stored('video', 'video/mp4'), [OTHER]: stored('doc', 'application/pdf') }),
    )
    expect(parts[0]).toEqual({ kind: 'media', fileId: ID })
    expect(parts[1]).toMatchObject({ html: expect.stringContaining('план.pdf') })
  })

  test('offers a file for download and a PDF for reading, with their sizes', () => {
    const { file = paragraph(), pdf = paragraph() } = BLOCKS
    const html = renderLesson(doc(file), shown({ [ID]: stored('file', 'text/csv') }))
    expect(html).toContain('href="/v1/media/download"')
    expect(html).toContain('1,9 МБ')
    expect(renderLesson(doc(pdf), shown({ [ID]: stored('doc', 'application/pdf') }))).toContain('href="/v1/media/open"')
  })

  test('links to the other site, and names the frame for a script', () => {
    const { embed = paragraph() } = BLOCKS
    const html = renderLesson(doc(embed), shown({}))
    expect(html).toContain('href="https://www.youtube.com/watch?v=dQw4w9WgXcQ"')
    expect(html).toContain('data-embed="https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ"')
    expect(html).toContain('YouTube: Ефір')
    expect(html).not.toContain('<iframe')
  })

  test('announces the tone of a callout to screen readers', () => {
    const { callout = paragraph() } = BLOCKS
    expect(renderLesson(doc(callout), shown({}))).toContain('role="note"><span class="sr-only">Порада</span>')
  })
})

test('a document lists each of its files once, wherever it is used', () => {
  const { gallery = paragraph(), video = paragraph() } = BLOCKS
  const file = { type: 'file', attrs: { fileId: OTHER, name: 'x' } }
  const callout = { type: 'callout', attrs: { tone: 'info' }, content: [file, image] }
  expect(filesOf(doc(gallery, video, callout)).toSorted()).toEqual([ID, OTHER])
})

test('visible, audible or interactive content counts as content', () => {
  for (const [name, block] of Object.entries(BLOCKS)) expect([name, countWords(doc(block)) > 0]).toEqual([name, true])
})
