import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Refusal } from '#lib/core/http/refusal.ts'
import { LessonDoc, type LessonNode } from '#lib/core/shared/lesson-doc.ts'
import { docFromMarkdown } from '#lib/course/transfer/markdown/markdown.ts'
import { readCourseFolder, splitFrontMatter } from '#lib/course/transfer/read-course-folder.ts'

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
const FILE = '/v1/file/0199a0de-0000-7000-8000-000000000000'

function read(markdown: string): LessonNode[] {
  return docFromMarkdown(markdown, (url) => (url.endsWith('.png') ? url : null)).content
}

function expectValid(markdown: string): void {
  const doc = docFromMarkdown(markdown, (url) => (url.endsWith('.png') ? FILE : null))
  const parsed = LessonDoc.safeParse(doc)
  expect(parsed.error?.issues ?? []).toEqual([])
  expect(parsed.data).toEqual(doc)
}

describe('a Markdown lesson', () => {
  test('keeps headings, lists, quotes, code and emphasis', () => {
    expect(read('# План\n\n- **перший**\n- другий\n\n1. раз\n\n> цитата\n\n```bash\nls\n```\n\n---')).toEqual([
      { type: 'heading', attrs: { level: 2 }, content: [{ type: 'text', text: 'План' }] },
      {
        type: 'bulletList',
        content: [
          {
            type: 'listItem',
            content: [{ type: 'paragraph', content: [{ type: 'text', text: 'перший', marks: [{ type: 'bold' }] }] }],
          },
          { type: 'listItem', content: [{ type: 'paragraph', content: [{ type: 'text', text: 'другий' }] }] },
        ],
      },
      {
        type: 'orderedList',
        attrs: { start: 1 },
        content: [{ type: 'listItem', content: [{ type: 'paragraph', content: [{ type: 'text', text: 'раз' }] }] }],
      },
      { type: 'blockquote', content: [{ type: 'paragraph', content: [{ type: 'text', text: 'цитата' }] }] },
      { type: 'codeBlock', attrs: { language: 'bash' }, content: [{ type: 'text', text: 'ls' }] },
      { type: 'horizontalRule' },
    ])
  })

  test('keeps checked items of a task list', () => {
    const [list] = read('- [x] світло\n- [ ] звук')
    expect(list?.type).toBe('taskList')
    expect(list?.content?.map((item) => item.attrs?.checked)).toEqual([true, false])
  })

  test('makes a table with a header row and equal rows', () => {
    const [table] = read('| Хвилина | Що |\n|---|---|\n| 0 | привітання |\n| 5 |')
    const rows = table?.content ?? []
    expect(rows.map((row) => row.content?.map((cell) => cell.type))).toEqual([
      ['tableHeader', 'tableHeader'],
      ['tableCell', 'tableCell'],
      ['tableCell', 'tableCell'],
    ])
  })

  test('lifts an image out of its paragraph and keeps its alternative text', () => {
    expect(read('до ![Схема](a.png) після').map((node) => node.type)).toEqual(['paragraph', 'image', 'paragraph'])
    expect(read('![Схема](a.png)')[0]?.attrs).toEqual({ src: 'a.png', alt: 'Схема' })
  })

  test('reduces HTML to its text and script links to plain text', () => {
    const text = JSON.stringify(read('<div onclick="x()">Слово</div>\n\n[тут](javascript:alert(1)) <b>і</b> там'))
    expect(text).toContain('Слово')
    expect(text).not.toMatch(/onclick|javascript|<b>/)
  })

  test('gives a valid document for any Markdown', () => {
    const line = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('# ', '> ', '- [ ] ', '- [x]', '1. ', '```', '| a | b |', '|---|---|', '<script>', '![x](a.png)'),
      fc.constantFrom(
        '[a](javascript:1)',
        '[^1]',
        '[^1]: x',
        '[r]: http://x',
        '**',
        '~~',
        '`',
        '  ',
        '\t',
        '&#0;',
        '\\',
      ),
    )
    const markdown = fc.array(
      fc.array(line, { maxLength: 6 }).map((parts) => parts.join('')),
      { maxLength: 12 },
    )
    fc.assert(
      fc.property(markdown, (lines) => expectValid(lines.join('\n'))),
      { numRuns: 400 },
    )
  })

  test('flattens excessive nesting', () => {
    expectValid(`${'> '.repeat(400)}глибоко`)
    expectValid(`${'*a **b '.repeat(300)}${'** *'.repeat(300)}`)
  })
})

describe('front matter', () => {
  test('reads simple pairs and leaves the text', () => {
    expect(splitFrontMatter('---\ntitle: "Звук: основи"\nminutes: 8\n---\n\nТекст')).toEqual({
      head: { title: 'Звук: основи', minutes: '8' },
      body: 'Текст',
    })
  })
})

describe('a course folder', () => {
  let root = ''
  const put = async (name: string, data: string | Buffer) => {
    await mkdir(path.dirname(path.join(root, name)), { recursive: true })
    await writeFile(path.join(root, name), data)
  }
  const refused = async () => {
    const refusal = await readCourseFolder(root).then(
      () => null,
      (reason: unknown) => reason,
    )
    if (!(refusal instanceof Refusal)) throw new Error(`not refused: ${String(refusal)}`)
    expect(refusal.code).toBe('invalid')
    return { key: refusal.details.fields?.folder?.[0], ...refusal.details.variables }
  }

  beforeEach(async () => {
    root = await mkdtemp(path.join(tmpdir(), 'course-'))
    await put('course.md', '---\ntitle: Курс\nlevel: beginner\ncover: images/cover.png\n---\nПро курс')
    await put('images/cover.png', PNG)
    await put('01-one/module.md', '---\ntitle: Перший модуль\n---\nПро модуль')
    await put('01-one/02-b.md', '---\ntitle: Другий\n---\nТекст')
    await put('01-one/10-c.md', '---\ntitle: Десятий\n---\nТекст')
    await put('01-one/01-a.md', '---\ntitle: Вступ\nminutes: 5\n---\n![Обкладинка](../images/cover.png)')
  })
  afterEach(() => rm(root, { recursive: true, force: true }))

  test('becomes a course with modules, lessons in order and images', async () => {
    const course = await readCourseFolder(root)
    expect(course).toMatchObject({ title: 'Курс', level: 'beginner', language: 'uk', shortDescription: '' })
    expect(course.modules.map((module) => [module.title, module.description])).toEqual([
      ['Перший модуль', 'Про модуль'],
    ])
    expect(course.modules[0]?.lessons.map((lesson) => lesson.title)).toEqual(['Вступ', 'Другий', 'Десятий'])
    expect(course.modules[0]?.lessons[0]?.minutes).toBe(5)
    expect(course.modules[0]?.lessons[0]?.doc.content[0]?.attrs?.src).toBe('images/cover.png')
    expect(Object.keys(course.images)).toEqual(['images/cover.png'])
    expect(course.coverPath).toMatch(/cover\.png$/)
  })

  test('is refused without course.md', async () => {
    await rm(path.join(root, 'course.md'))
    expect(await refused()).toMatchObject({ key: 'import_no_course' })
  })

  test('is refused when it does not exist', async () => {
    await rm(root, { recursive: true })
    expect(await refused()).toMatchObject({ key: 'import_no_course' })
  })

  test('is refused without lessons', async () => {
    await rm(path.join(root, '01-one'), { recursive: true })
    expect(await refused()).toMatchObject({ key: 'import_no_lessons' })
  })

  test('is refused when a lesson has no title, and names the lesson', async () => {
    await put('01-one/02-b.md', 'Текст')
    expect(await refused()).toMatchObject({ key: 'import_front_matter', path: path.join('01-one', '02-b.md') })
  })

  test.each(['../../outside.png', '/etc/outside.png', '..%2f..%2foutside.png', '../images/../../outside.png'])(
    'is refused when a picture leads outside: %s',
    async (ref) => {
      await put('01-one/02-b.md', `---\ntitle: Другий\n---\n![x](${ref})`)
      expect((await refused()).key).toBe('import_image_outside')
    },
  )

  test('is refused when an image is a link outside the folder', async () => {
    const outside = await mkdtemp(path.join(tmpdir(), 'outside-'))
    await writeFile(path.join(outside, 'x.png'), PNG)
    await symlink(path.join(outside, 'x.png'), path.join(root, 'images', 'x.png'))
    await put('01-one/02-b.md', '---\ntitle: Другий\n---\n![x](../images/x.png)')
    expect((await refused()).key).toBe('import_image_outside')
    await rm(outside, { recursive: true })
  })

  test('is refused when a module is a link outside the folder', async () => {
    const outside = await mkdtemp(path.join(tmpdir(), 'outside-'))
    await writeFile(path.join(outside, 'module.md'), '---\ntitle: Чужий\n---')
    await writeFile(path.join(outside, '01-x.md'), '---\ntitle: Чужий урок\n---\nТекст')
    await symlink(outside, path.join(root, '02-two'))
    expect((await refused()).key).toBe('import_image_outside')
    await rm(outside, { recursive: true })
  })

  test.each([
    ['a script with a picture’s name', '../images/fake.png', '<script>'],
    ['an unknown type', '../images/fake.svg', '<svg/>'],
  ])('is refused for %s', async (_, ref, data) => {
    await put(path.join('01-one', ref), data)
    await put('01-one/02-b.md', `---\ntitle: Другий\n---\n![x](${ref})`)
    expect((await refused()).key).toBe('import_image_type')
  })

  test('is refused when a file is over five megabytes', async () => {
    await put('images/cover.png', Buffer.concat([PNG, Buffer.alloc(5 * 1024 * 1024)]))
    expect(await refused()).toMatchObject({ key: 'import_file_too_large', path: 'images/cover.png' })
  })

  test('keeps images of other sites as links', async () => {
    await put('01-one/02-b.md', '---\ntitle: Другий\n---\n![Логотип](https://example.org/a.png)')
    const doc = (await readCourseFolder(root)).modules[0]?.lessons[1]?.doc
    expect(JSON.stringify(doc)).toContain('"href":"https://example.org/a.png"')
  })
})
