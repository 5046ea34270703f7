import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { ImportedCourse } from '#lib/course/transfer/imported-course.ts'
import { readPackage } from '#lib/course/transfer/package/read-package.ts'
import { zipOf } from '../../../../setup/course/packages.ts'

let scratch: string
beforeEach(async () => {
  scratch = await mkdtemp(path.join(tmpdir(), 'kafedra-markdown-'))
})
afterEach(() => rm(scratch, { recursive: true }))

async function read(files: Record<string, string>, name = 'Мій курс.zip'): Promise<ImportedCourse> {
  const at = path.join(scratch, 'course.zip')
  await writeFile(at, zipOf(Object.entries(files).map(([member, bytes]) => ({ name: member, bytes }))))
  return readPackage({ path: at, name }, scratch, { notPlaced: 'Not placed', files: 'Files' })
}

const outline = ({ modules }: ImportedCourse) =>
  modules.map(({ title, lessons }) => [title, lessons.map((lesson) => lesson.title)])
const notes = ({ notes: all }: ImportedCourse) => all.map(({ kind, title }) => `${kind}: ${title}`)

describe('a folder of Markdown files', () => {
  test('becomes modules by folders and lessons in natural order', async () => {
    const course = await read({
      'repo/README.md': '# Історія\n\nПро курс',
      'repo/LICENSE.md': 'MIT',
      'repo/2-second/10-ten.md': 'десять',
      'repo/2-second/9-nine.md': '# Дев’ять\n\nслова',
      'repo/1-first/README.md': '# Перший\n\nвступ',
      'repo/1-first/lessons/1-a/README.md': '# А\n\nслова',
      'repo/1-first/lessons/1-a/assignment.md': '# Завдання А\n\nслова',
      'repo/translations/uk/README.md': 'переклад',
      'repo/1-first/code/app.py': 'print()',
    })
    expect(course).toMatchObject({ format: 'markdown', course: { title: 'Історія' } })
    expect(outline(course)).toEqual([
      ['Історія', ['Історія']],
      ['Перший', ['Перший']],
      ['Перший · А', ['А', 'Завдання А']],
      ['Second', ['Дев’ять', 'Ten']],
    ])
    expect(notes(course)).toEqual([
      'pagesSkipped: LICENSE.md',
      'pagesSkipped: translations/',
      'filesUnused: 1-first/*.py (1)',
    ])
  })

  test('follows weights and titles of front matter', async () => {
    const course = await read({
      'docs/a.md': '---\nweight: 2\n---\nа',
      'docs/b.md': '---\nsidebar_position: 1\ntitle: "Бе: друге"\n---\nб',
      'docs/c.md': '---\n[не yaml: {\n---\nв',
    })
    expect(outline(course)).toEqual([['Docs', ['Бе: друге', 'A', 'C']]])
    expect(notes(course)).toEqual(['frontMatter: docs/c.md'])
  })

  test.each([
    [
      'SUMMARY.md',
      '# Summary\n\n* [Вступ](README.md)\n\n## Частина\n\n* [Перший](a/one.md)\n  * [Глибше](a/deep.md)\n',
    ],
    [
      '_toc.yml',
      'format: jb-book\nroot: README\nparts:\n- caption: Частина\n  chapters:\n  - file: a/one\n    title: Перший\n    sections:\n    - file: a/deep\n      title: Глибше\n',
    ],
    [
      'mkdocs.yml',
      'docs_dir: .\nextra: !!python/name:a.b\nnav:\n  - Вступ: README.md\n  - Частина:\n    - Перший: a/one.md\n    - Глибше: a/deep.md\n',
    ],
  ])('follows %s, and what it does not name comes after', async (name, contents) => {
    const course = await read({
      [name]: contents,
      'README.md': '# Вступ\n\nслова',
      'a/one.md': 'один',
      'a/deep.md': 'два',
      'b/left.md': 'інше',
      'b/left2.md': 'інше',
    })
    expect(outline(course)).toEqual([
      ['Вступ', ['Вступ']],
      ['Частина', ['Перший', 'Глибше']],
      ['B', ['Left', 'Left2']],
    ])
  })

  test('links its lessons with each other, and lists missing files', async () => {
    const course = await read({
      'a.md':
        '# А\n\n[друга](sub/b.md#part) [нема](none.md) [веб](https://example.org) ![](none.png) [файл](sub/c.txt)',
      'sub/b.md': '# Бе\n\n[назад](../a.md)',
      'sub/c.txt': 'слова',
    })
    const [a, b] = course.modules.flatMap(({ lessons }) => lessons)
    const text = JSON.stringify(a?.blocks)
    expect(text).toContain(`/course/lesson/${b?.id}`)
    expect(text).toContain('https://example.org')
    expect(JSON.stringify(b?.blocks)).toContain(`/course/lesson/${a?.id}`)
    expect(course.files.map((file) => file.name)).toEqual(['c.txt'])
    expect(notes(course)).toEqual(['linkMissing: none.md (a.md)', 'pictureMissing: none.png'])
  })

  test('exported from Notion loses the ids in its names', async () => {
    const id = '1a2b3c4d5e6f7a8b9c0d1e2f3a4b5c6d'
    const course = await read({
      [`Курс ${id}.md`]: `# Курс\n\n[Світло](${encodeURI(`Курс ${id}/Світло ${id}.md`)})`,
      [`Курс ${id}/Світло ${id}.md`]: 'слова',
      [`Курс ${id}/Тінь ${id}.md`]: '# Тінь\n\nслова',
    })
    expect(outline(course)).toEqual([['Курс', ['Курс', 'Світло', 'Тінь']]])
    expect(notes(course)).toEqual([])
  })

  test('exported from Obsidian resolves links by names and shows images', async () => {
    const course = await read({
      'Vault/A.md': 'Див. [[B|другу]], ![[pic.png|300]] і [[Nowhere]]',
      'Vault/sub/B.md': '# B\n\nслова',
      'Vault/files/pic.png': 'x',
      'Vault/.obsidian/app.json': '{}',
    })
    expect(course.course.title).toBe('Vault')
    const [a, b] = course.modules.flatMap(({ lessons }) => lessons)
    expect(JSON.stringify(a?.blocks)).toContain(`/course/lesson/${b?.id}`)
    expect(a?.blocks.content.map(({ type }) => type)).toEqual(['paragraph', 'image', 'paragraph'])
    expect(notes(course)).toEqual(['linkMissing: Nowhere (A.md)'])
  })

  test('keeps images and videos of raw HTML', async () => {
    const html =
      '<p align="center"><img src="a.png" alt="Схема"></p>\n\nТекст <img src="a.png"> далі\n\n<script>alert(1)</script>'
    const course = await read({ 'a.md': html, 'a.png': 'x' })
    const blocks = course.modules[0]?.lessons[0]?.blocks.content
    expect(blocks?.map(({ type }) => type)).toEqual(['image', 'paragraph', 'image', 'paragraph'])
    expect(JSON.stringify(blocks)).not.toContain('alert')
  })

  test('with sixteen thousand nested quotes is read', async () => {
    const course = await read({ 'a.md': `${'>'.repeat(16_000)} слова\n\n${'- '.repeat(16_000)}слова` })
    expect(JSON.stringify(course.modules[0]?.lessons[0]?.blocks)).toContain('слова')
  })
})
