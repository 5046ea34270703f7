import { beforeAll, describe, expect, test } from 'vitest'
import { inTenant } from '#lib/core/db/db.ts'
import type { LessonDoc, LessonNode } from '#lib/core/shared/lesson-doc.ts'
import { getCourse } from '#lib/course/course.ts'
import { getLesson } from '#lib/course/lesson/lesson.ts'
import { getOutline } from '#lib/course/outline/outline.ts'
import { describeCourse } from '#lib/course/transfer/export.ts'
import { getTransfer, listTransfers, previewImport, startCourseImport } from '#lib/course/transfer/transfer.ts'
import { docxOf, type Member, PDF, PICTURE, PIXEL, paragraph, tarOf, zipOf } from '../../../setup/course/packages.ts'
import { imported } from '../../../setup/course/transfers.ts'
import { listFiles } from '../../../setup/parsed/storage.ts'
import { createOtherTenant, createTestTenant, type TestTenant } from '../../../setup/tenants.ts'
import { uploadFile } from '../../../setup/uploads.ts'

let ours: TestTenant
beforeAll(async () => {
  ours = await createTestTenant()
})

/** Titles of modules with those of their lessons, and the text of every lesson by title. */
async function read(courseId: string | null, who = ours) {
  const outline = await getOutline(who.as.OWNER, { courseId: courseId ?? '' })
  const texts: Record<string, LessonDoc> = {}
  for (const { lessons } of outline) {
    for (const { id, title } of lessons) texts[title] = (await getLesson(who.as.OWNER, { lessonId: id })).blocks
  }
  return { outline: outline.map(({ title, lessons }) => [title, lessons.map((lesson) => lesson.title)]), texts }
}

const types = (doc: LessonDoc | undefined) => doc?.content.map(({ type }) => type)
const text = (words: string, marks?: LessonNode['marks']) => ({
  type: 'text',
  text: words,
  ...(marks ? { marks } : {}),
})
const member = (name: string, bytes: Member['bytes']) => ({ name, bytes })

describe('a Word document', () => {
  test('previews the lessons it can become, and becomes the selected ones', async () => {
    const long = paragraph('слово '.repeat(200))
    const body = ['Тема 1', long, 'Тема 2', long].map((part) => (part === long ? long : paragraph(part))).join('')
    const broken = body.replace(
      '<w:p><w:r><w:t xml:space="preserve">Тема 2',
      (start) => `<w:p><w:r><w:br w:type="page"/></w:r></w:p>${start}`,
    )
    const { id: fileId } = await uploadFile(ours.as.EXPERT, 'Конспект.docx', docxOf(broken))
    expect(await previewImport(ours.as.EXPERT, { fileId })).toEqual({
      title: 'Конспект',
      defaultSplit: 'numbered',
      options: [
        { split: 'numbered', lessons: 2, titles: ['Тема 1', 'Тема 2'] },
        { split: 'pages', lessons: 2, titles: ['Тема 1', 'Тема 2'] },
        { split: 'none', lessons: 1, titles: ['Конспект'] },
      ],
    })
    const made = await imported(ours.as.EXPERT, 'Конспект.docx', docxOf(broken), { split: 'none' })
    expect((await read(made.courseId)).outline).toEqual([['Конспект', ['Конспект']]])
    expect(made.report).toMatchObject({ lessons: 1 })
  })

  test('is visible to authors of its school only', async () => {
    const { id: fileId } = await uploadFile(ours.as.EXPERT, 'Чужий.docx', docxOf(paragraph('Слова')))
    await expect(previewImport(ours.as.STUDENT, { fileId })).rejects.toMatchObject({ code: 'forbidden' })
    await expect(previewImport((await createOtherTenant()).as.EXPERT, { fileId })).rejects.toMatchObject({
      code: 'not_found',
    })
    const { id: other } = await uploadFile(ours.as.EXPERT, 'курс.zip', zipOf([member('a.md', '# Слова')]))
    expect(await previewImport(ours.as.EXPERT, { fileId: other })).toBeNull()
  })

  test('becomes lessons by its headings, with images, lists and tables', async () => {
    const body = [
      paragraph('Голос для ефіру', 'Title'),
      paragraph('Вступне слово'),
      paragraph('Дихання', 'H1'),
      `<w:p><w:r><w:rPr><w:b/></w:rPr><w:t>Важливо</w:t></w:r><w:hyperlink r:id="l1"><w:r><w:t>тут</w:t></w:r></w:hyperlink></w:p>`,
      paragraph('Вправа', 'H2'),
      PICTURE,
      paragraph('Артикуляція', 'H1'),
      '<w:tbl><w:tr><w:tc><w:p><w:r><w:t>А</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>Б</w:t></w:r></w:p></w:tc></w:tr></w:tbl>',
    ]
    const made = await imported(ours.as.EXPERT, 'Чернетка.docx', docxOf(body.join('')))
    expect(made).toMatchObject({ state: 'done', progress: 100, courseTitle: 'Голос для ефіру' })
    expect(made.report).toMatchObject({ format: 'docx', lessons: 3, files: 1, notes: [] })
    const { outline, texts } = await read(made.courseId)
    expect(outline).toEqual([['Голос для ефіру', ['Голос для ефіру', 'Дихання', 'Артикуляція']]])
    expect(texts.Дихання?.content[0]).toEqual({
      type: 'paragraph',
      content: [
        text('Важливо', [{ type: 'bold' }]),
        text('тут', [{ type: 'link', attrs: { href: 'https://example.org/a' } }]),
      ],
    })
    expect(texts.Дихання?.content[1]).toMatchObject({ type: 'heading', attrs: { level: 2 } })
    expect(texts.Дихання?.content[2]).toMatchObject({ type: 'image', attrs: { alt: 'Мікрофон' } })
    expect(types(texts.Артикуляція)).toEqual(['table'])
  })

  test('uses the file name without a title, and one lesson without headings', async () => {
    const made = await imported(ours.as.EXPERT, 'Нотатки.docx', docxOf(paragraph('Самі слова')))
    expect((await read(made.courseId)).outline).toEqual([['Нотатки', ['Нотатки']]])
  })

  test('with its own XML entities is refused with a message', async () => {
    const evil = { name: 'word/evil.xml', bytes: '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><x>&a;</x>' }
    const made = await imported(ours.as.EXPERT, 'evil.docx', docxOf(paragraph('x'), [evil]))
    expect(made).toMatchObject({ state: 'failed', courseId: null, failure: { fields: { file: ['import_xml'] } } })
  })

  test('without content is refused', async () => {
    const made = await imported(ours.as.EXPERT, 'empty.docx', docxOf('<w:p/>'))
    expect(made).toMatchObject({ state: 'failed', failure: { fields: { file: ['import_empty'] } } })
  })
})

const manifest = (items: string, resources: string) => `<?xml version="1.0" encoding="UTF-8"?>
<manifest identifier="m" xmlns="http://www.imsglobal.org/xsd/imsccv1p3/imscp_v1p1" xmlns:lomimscc="http://ltsc.ieee.org/xsd/imsccv1p3/LOM/manifest">
  <metadata><schema>IMS Common Cartridge</schema><schemaversion>1.3.0</schemaversion>
    <lomimscc:lom><lomimscc:general><lomimscc:title><lomimscc:string>Сцена &amp; голос</lomimscc:string></lomimscc:title></lomimscc:general></lomimscc:lom></metadata>
  <organizations><organization identifier="o" structure="rooted-hierarchy"><item identifier="root">${items}</item></organization></organizations>
  <resources>${resources}</resources></manifest>`

describe('a Common Cartridge', () => {
  test('imports pages, files and links, and lists what is omitted', async () => {
    const items = `<item identifier="i1"><title>Тиждень 1</title>
        <item identifier="i2" identifierref="page"><title>Сторінка</title></item>
        <item identifier="i3"><title>Тека</title><item identifier="i4" identifierref="link"><title>Фільм</title></item></item>
        <item identifier="i5" identifierref="quiz"><title>Тест 1</title></item></item>
      <item identifier="i6" identifierref="pdf"><title>Пам’ятка</title></item>
      <item identifier="i7" identifierref="gone"><title>Загублене</title></item>`
    const resources = `
      <resource identifier="page" type="webcontent" href="wiki/page%201.html"><file href="wiki/page%201.html"/></resource>
      <resource identifier="link" type="imswl_xmlv1p3"><file href="link.xml"/></resource>
      <resource identifier="quiz" type="imsqti_xmlv1p3/imscc_xmlv1p3/assessment"><file href="quiz.xml"/></resource>
      <resource identifier="pdf" type="webcontent" href="web_resources/memo.pdf"><file href="web_resources/memo.pdf"/></resource>
      <resource identifier="gone" type="webcontent" href="nowhere.html"><file href="nowhere.html"/></resource>`
    const page = `<!DOCTYPE html><html><head><title>x</title><style>p{}</style></head><body><h1>Тема</h1>
      <p>Слова <b>жирні</b> <script>alert(1)</script><img src="$IMS-CC-FILEBASE$/pics/a.png" alt="Схема"> і далі</p>
      <p><img src="../web_resources/none.png" alt=""><a href="../web_resources/memo.pdf">Пам’ятка</a></p>
      <iframe src="https://www.youtube.com/embed/dQw4w9WgXcQ"></iframe><iframe src="https://evil.example/x"></iframe>
      <ul><li>раз<ul><li>два</li></ul></li></ul><p onclick="x"><a href="javascript:alert(1)">ні</a></p></body></html>`
    const bytes = zipOf([
      member('imsmanifest.xml', manifest(items, resources)),
      member('wiki/page 1.html', page),
      member(
        'link.xml',
        '<webLink xmlns="http://www.imsglobal.org/xsd/imsccv1p3/imswl_v1p3"><title>Фільм</title><url href="https://vimeo.com/76979871"/></webLink>',
      ),
      member('web_resources/pics/a.png', PIXEL),
      member('web_resources/memo.pdf', PDF),
    ])
    const made = await imported(ours.as.EXPERT, 'course.imscc', bytes)
    expect(made).toMatchObject({ state: 'done', courseTitle: 'Сцена & голос' })
    const { outline, texts } = await read(made.courseId)
    expect(outline).toEqual([
      ['Тиждень 1', ['Сторінка', 'Фільм']],
      ['Сцена & голос', ['Пам’ятка']],
    ])
    expect(types(texts.Сторінка)).toEqual([
      'heading',
      'paragraph',
      'image',
      'paragraph',
      'paragraph',
      'pdf',
      'embed',
      'paragraph',
      'bulletList',
      'paragraph',
    ])
    expect(JSON.stringify(texts.Сторінка)).not.toMatch(/alert|javascript|onclick|p\{\}/)
    expect(texts.Фільм?.content).toEqual([
      { type: 'heading', attrs: { level: 2 }, content: [text('Тека')] },
      { type: 'embed', attrs: { url: 'https://player.vimeo.com/video/76979871' } },
    ])
    expect(types(texts['Пам’ятка'])).toEqual(['pdf'])
    expect(made.report?.notes).toEqual(
      expect.arrayContaining([
        { kind: 'quiz', title: 'Тест 1' },
        { kind: 'fileMissing', title: 'Загублене', files: 1 },
        { kind: 'frame', title: 'Сторінка', links: 1 },
        { kind: 'pictureMissing', title: '../web_resources/none.png', files: 1 },
        { kind: 'linkLost', title: 'Сторінка', links: 1 },
      ]),
    )
  })

  test('without a valid manifest is refused', async () => {
    for (const xml of ['<a/>', '', '<!DOCTYPE manifest [<!ENTITY a "b">]><manifest/>']) {
      const made = await imported(ours.as.EXPERT, 'x.imscc', zipOf([member('imsmanifest.xml', xml)]))
      expect(made).toMatchObject({ state: 'failed', failure: { fields: { file: ['import_xml'] } } })
    }
  })
})

const HASH = 'a'.repeat(40)

function moodle(): Member[] {
  const activity = (id: string, kind: string, title: string) =>
    `<activity><moduleid>${id}</moduleid><sectionid>7</sectionid><modulename>${kind}</modulename><title>${title}</title><directory>activities/${kind}_${id}</directory></activity>`
  const file = (name: string, context: string, area: string) =>
    `<file id="${context}"><contenthash>${HASH}</contenthash><contextid>${context}</contextid><component>mod_page</component><filearea>${area}</filearea><itemid>0</itemid><filepath>/</filepath><filename>${name}</filename></file>`
  const page =
    '&lt;p&gt;Текст &lt;img src="@@PLUGINFILE@@/%D1%81%D1%85%D0%B5%D0%BC%D0%B0.png" alt="Схема"&gt;&lt;/p&gt;'
  return [
    member(
      'moodle_backup.xml',
      `<?xml version="1.0" encoding="UTF-8"?><moodle_backup><information><original_course_fullname>Історія</original_course_fullname><contents><activities>${activity('2', 'label', 'Напис')}${activity('1', 'page', 'Сторінка')}${activity('3', 'url', 'Посилання')}${activity('4', 'quiz', 'Контрольна')}${activity('5', 'resource', 'Файл')}${activity('6', 'hvp', 'Диво')}</activities><sections><section><sectionid>7</sectionid><title>1</title><directory>sections/section_7</directory></section></sections></contents></information></moodle_backup>`,
    ),
    member(
      'sections/section_7/section.xml',
      '<section id="7"><number>1</number><name>Козаки</name><summary>&lt;p&gt;Огляд&lt;/p&gt;</summary><sequence>1,2,3,5</sequence><visible>0</visible></section>',
    ),
    member(
      'activities/page_1/page.xml',
      `<activity id="1" moduleid="1" modulename="page" contextid="50"><page id="1"><name>Січ</name><intro>$@NULL@$</intro><content>${page}</content></page></activity>`,
    ),
    member(
      'activities/label_2/label.xml',
      '<activity id="2" contextid="51"><label id="2"><name>Напис</name><intro>&lt;h3&gt;Напис&lt;/h3&gt;</intro></label></activity>',
    ),
    member(
      'activities/url_3/url.xml',
      '<activity id="3" contextid="52"><url id="3"><name>Музей</name><externalurl>https://example.org/m</externalurl></url></activity>',
    ),
    member(
      'activities/resource_5/resource.xml',
      '<activity id="5" contextid="53"><resource id="5"><name>Мапа</name><intro></intro></resource></activity>',
    ),
    member(
      'files.xml',
      `<files>${file('схема.png', '50', 'content')}${file('мапа.png', '53', 'content')}${file('.', '50', 'content')}</files>`,
    ),
    member(`files/aa/${HASH}`, PIXEL),
  ]
}

describe.each([
  ['tar.gz', tarOf],
  ['zip', async (members: Member[]) => zipOf(members)],
])('a Moodle backup as %s', (_, make) => {
  test('imports pages, labels, links and files by sections', async () => {
    const made = await imported(ours.as.EXPERT, 'backup.mbz', await make(moodle()))
    expect(made).toMatchObject({ state: 'done', courseTitle: 'Історія' })
    const { outline, texts } = await read(made.courseId)
    expect(outline).toEqual([['Козаки', ['Січ', 'Музей', 'Мапа']]])
    expect(types(texts.Січ)).toEqual(['paragraph', 'paragraph', 'image'])
    expect(types(texts.Музей)).toEqual(['heading', 'paragraph'])
    expect(types(texts.Мапа)).toEqual(['image'])
    expect(made.report?.notes).toEqual([
      { kind: 'quiz', title: 'Контрольна' },
      { kind: 'package', title: 'Диво' },
    ])
    const hidden = await inTenant(ours.as.OWNER, (tx) => describeCourse(tx, ours.as.OWNER, made.courseId ?? ''))
    expect(hidden.bundle.modules[0]?.hidden).toBe(true)
  })
})

describe('any file', () => {
  test('that is no course is refused with a message', async () => {
    const made = await imported(ours.as.EXPERT, 'photos.zip', zipOf([member('a.txt', 'x')]))
    expect(made).toMatchObject({ state: 'failed', courseId: null, failure: { fields: { file: ['import_unknown'] } } })
  })

  test('with Markdown is imported from a ZIP as from a folder', async () => {
    const made = await imported(
      ours.as.EXPERT,
      'course.zip',
      zipOf([
        member('мій/course.md', '---\ntitle: Мій курс\ncover: c.png\n---\nПро курс'),
        member('мій/c.png', PIXEL),
        member('мій/01-a/module.md', '---\ntitle: Модуль\n---\n'),
        member('мій/01-a/01-b.md', '---\ntitle: Урок\nminutes: 5\n---\nСлова\n\n![Схема](../c.png)\n'),
      ]),
    )
    expect(made).toMatchObject({ state: 'done', courseTitle: 'Мій курс', report: { format: 'markdown', files: 1 } })
    expect(types((await read(made.courseId)).texts.Урок)).toEqual(['paragraph', 'image'])
    expect((await getCourse(ours.as.OWNER, { courseId: made.courseId ?? '' })).coverFileId).not.toBeNull()
  })

  test('is read once however often requested, and a refused one leaves nothing in the storage', async () => {
    const them = await createOtherTenant()
    const bytes = zipOf([member('imsmanifest.xml', '<a/>')])
    await imported(them.as.EXPERT, 'x.imscc', bytes)
    const { rows } = await listFiles(them.as.EXPERT, {})
    expect(rows.map(({ name }) => name)).toEqual(['x.imscc'])
  })

  test('of another tenant is not found', async () => {
    const them = await createOtherTenant()
    const made = await imported(them.as.EXPERT, 'a.docx', docxOf(paragraph('x')))
    await expect(getTransfer(ours.as.OWNER, { transferId: made.id })).rejects.toMatchObject({ code: 'not_found' })
    expect((await listTransfers(them.as.EXPERT)).map(({ id }) => id)).toEqual([made.id])
    await expect(startCourseImport(ours.as.CURATOR, { fileId: made.id })).rejects.toMatchObject({ code: 'forbidden' })
  })
})
