import { beforeAll, describe, expect, test } from 'vitest'
import { type LessonDoc, walkNodes } from '#lib/core/shared/lesson-doc.ts'
import { getCourse } from '#lib/course/course.ts'
import { getLesson } from '#lib/course/lesson/lesson.ts'
import { getOutline } from '#lib/course/outline/outline.ts'
import { listTasks } from '#lib/homework/task/task.ts'
import { CANVAS_RESOURCES, canvasPackage } from '../../../../setup/course/canvas-package.ts'
import { moodlePackage } from '../../../../setup/course/moodle-package.ts'
import { tarOf, zipOf } from '../../../../setup/course/packages.ts'
import { imported } from '../../../../setup/course/transfers.ts'
import { listFiles } from '../../../../setup/parsed/storage.ts'
import { createTestTenant, type TestTenant } from '../../../../setup/tenants.ts'

/** Imports a package into an empty school. Returns the report and the lessons by title, with their tasks. */
async function brought(name: string, bytes: Uint8Array<ArrayBuffer>) {
  const made: TestTenant = await createTestTenant()
  const author = made.as.EXPERT
  const { courseId, report } = await imported(author, name, bytes)
  const outline = await getOutline(author, { courseId: courseId ?? '' })
  const lessons = outline.flatMap((module) => module.lessons)
  const texts = new Map<string, LessonDoc>()
  for (const { id, title } of lessons) texts.set(title, (await getLesson(author, { lessonId: id })).blocks)
  const idOf = (title: string) => lessons.find((lesson) => lesson.title === title)?.id ?? ''
  return {
    author,
    courseId: courseId ?? '',
    report,
    outline: outline.map(({ title, lessons }) => [title, lessons.map((lesson) => lesson.title)]),
    hidden: lessons.filter((lesson) => lesson.hidden).map(({ title }) => title),
    idOf,
    said: (title: string) => saidIn(texts.get(title)),
    links: (title: string) => linksIn(texts.get(title)),
    types: (title: string) => texts.get(title)?.content.map(({ type }) => type),
    tasks: (title: string) => listTasks(author, { lessonId: idOf(title) }),
  }
}

const saidIn = (doc: LessonDoc | undefined): string =>
  (doc ? [...walkNodes(doc)] : []).flatMap(({ text }) => text ?? []).join('|')

function linksIn(doc: LessonDoc | undefined): [string, string][] {
  return (doc ? [...walkNodes(doc)] : []).flatMap(({ text = '', marks = [] }) =>
    marks.flatMap((mark): [string, string][] => (mark.type === 'link' ? [[text, String(mark.attrs?.href)]] : [])),
  )
}

describe('a Moodle backup', () => {
  let made: Awaited<ReturnType<typeof brought>>
  beforeAll(async () => {
    made = await brought('course.mbz', await tarOf(moodlePackage()))
  })

  test('imports every readable activity in the order of its section', () => {
    expect(made.outline).toEqual([
      ['Тиждень', ['Дихання', 'Терміни', 'Запишіть голос', 'Контрольна', 'Прихована', 'Посібник', 'Усна відповідь']],
    ])
    expect(made.hidden).toEqual(['Прихована'])
  })

  test('imports the pages of a lesson in order, with options of questions and without answers', () => {
    const audio = made.said('Дихання')
    expect(audio).toBe(
      'Огляд тижня |Вітаємо на курсі|Вступ до лекції|Перша сторінка|Текст першої сторінки |Перевірка|Скільки вдихів?|Один|Два|Остання|Підпис таблиці|Клітинка без рядка',
    )
    expect(made.types('Дихання')).toEqual(expect.arrayContaining(['embed', 'image', 'table', 'bulletList']))
    expect(made.report?.notes).toContainEqual({ kind: 'answers', title: 'Дихання' })
  })

  test('imports glossaries, books and images in their texts', () => {
    expect(made.said('Терміни')).toBe('Діафрагма, перепона|М’яз, яким дихають')
    expect(made.said('Посібник')).toBe('Розділ|Зміст розділу |Обкладинка')
    expect(made.links('Посібник')).toEqual([['Обкладинка', 'https://example.org/doc']])
    expect(made.types('Посібник')).toContain('image')
  })

  test('turns assignments into tasks with their files, points and file types', async () => {
    const [task, ...more] = await made.tasks('Запишіть голос')
    expect(more).toEqual([])
    expect(task).toMatchObject({
      title: 'Запишіть голос',
      grading: 'points',
      maxPoints: 100,
      acceptTypes: ['.mp3', '.wav'],
      required: true,
      files: [{ name: 'зразок.pdf' }],
    })
    expect(linksIn(task?.instructions)).toEqual([['Лекція', `/course/lesson/${made.idOf('Дихання')}`]])
    expect(made.types('Запишіть голос')).toEqual(['task'])
    expect(await made.tasks('Усна відповідь')).toMatchObject([{ maxPoints: 87, required: false }])
  })

  test('lists the rest with the number of its files and the links that lead to it', () => {
    expect(made.report).toMatchObject({
      tasks: 2,
      imported: { label: 1, lessonPage: 3, glossaryEntry: 1, assignment: 2, page: 1, chapter: 1, section: 1 },
      source: { found: 11, imported: 8, listed: 3 },
    })
    expect(made.report?.notes).toEqual([
      { kind: 'answers', title: 'Дихання' },
      { kind: 'forum', title: 'Новини' },
      { kind: 'activity', title: 'Дивна (constructor)' },
      { kind: 'activity', title: 'Вікі (wiki)' },
      { kind: 'filesUnused', title: 'Контрольна', files: 1 },
      { kind: 'filesUnused', title: 'Посібник', files: 1 },
    ])
  })

  test('imports the description of the course', async () => {
    const { description } = await getCourse(made.author, { courseId: made.courseId })
    expect(saidIn(description ?? undefined)).toBe('Про курс загалом')
  })
})

describe('a Canvas course', () => {
  let made: Awaited<ReturnType<typeof brought>>
  beforeAll(async () => {
    made = await brought('course.imscc', zipOf(canvasPackage()))
  })

  test('keeps its outline, and puts everything outside it into a separate module', () => {
    expect(made.outline).toEqual([
      ['Тиждень 1', ['Початок', 'Есей', 'Перевірка', 'Сайт курсу', 'Пам’ятка']],
      ['Поза планом курсу', ['Силабус', 'Куди звертатися', 'Промова', 'Файли']],
    ])
    expect(made.said('Початок').startsWith('Прочитайте спершу|')).toBe(true)
    expect(made.hidden).toEqual(['Куди звертатися'])
  })

  test('rewrites its links to the imported lessons', () => {
    expect(made.links('Початок')).toEqual([
      ['Допомога', `/course/lesson/${made.idOf('Куди звертатися')}`],
      ['Есей', `/course/lesson/${made.idOf('Есей')}`],
      ['Тест', `/course/lesson/${made.idOf('Перевірка')}`],
      ['Тиждень', `/course/lesson/${made.idOf('Початок')}`],
      ['Значок', 'https://example.org/x'],
      ['Фото 1', 'https://elsewhere.example/1.jpg'],
    ])
    expect(made.said('Початок')).toContain('\\frac{a}{b}')
    expect(made.report?.notes).toContainEqual({ kind: 'linkLost', title: 'Початок', links: 1 })
    expect(made.types('Початок')).toEqual(expect.arrayContaining(['image', 'pdf']))
  })

  test('turns both kinds of assignments into tasks', async () => {
    expect(await made.tasks('Есей')).toMatchObject([{ title: 'Есей', maxPoints: 12, acceptTypes: ['.docx', '.pdf'] }])
    const [speech] = await made.tasks('Промова')
    expect(speech).toMatchObject({ title: 'Промова', maxPoints: 5, required: true })
    expect(saidIn(speech?.instructions)).toBe('Скажіть тост')
  })

  test('imports or lists every resource of its manifest', async () => {
    const { source, notes = [] } = made.report ?? {}
    expect(source).toEqual({ found: CANVAS_RESOURCES, imported: 13, listed: 5 })
    expect((source?.imported ?? 0) + (source?.listed ?? 0)).toBe(CANVAS_RESOURCES)
    expect(notes.filter(({ kind }) => kind !== 'linkLost' && kind !== 'pictureOutside')).toEqual([
      { kind: 'forum', title: 'Знайомство', files: 2 },
      { kind: 'settings', title: 'canvas_export.txt', files: 2 },
      { kind: 'questionBank', title: 'Банк', files: 1 },
      { kind: 'lti', title: 'Тренажер', files: 1 },
      { kind: 'fileRefused', title: 'setup.exe', files: 1 },
    ])
    const { rows } = await listFiles(made.author, { search: 'unused' })
    expect(rows.map(({ name }) => name)).toEqual(['unused.pdf'])
  })
})
