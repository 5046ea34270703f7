import { eq } from 'drizzle-orm'
import { inTenant } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { EMPTY_DOC, type LessonDoc, type LessonNode, srcOf } from '#lib/core/shared/lesson-doc.ts'
import { publishLesson } from '#lib/course/lesson/lesson.ts'
import { addModule } from '#lib/course/outline/outline.ts'
import { deleteModule } from '#lib/course/outline/trash.ts'
import type { AccessRule, CompletionRule } from '#lib/course/schema.ts'
import { updateCourse } from '#lib/course/settings.ts'
import { courseModule, lesson } from '#lib/course/table.ts'
import type { TaskText } from '#lib/homework/task/schema.ts'
import { addTask, saveTask } from '#lib/homework/task/task.ts'
import { saveChapters } from '#lib/storage/video/video-editor.ts'
import { createCourse } from '../parsed/course.ts'
import { addLesson } from '../parsed/course-outline.ts'
import { saveCaption, saveTexts } from '../parsed/storage.ts'
import { uploadFile } from '../uploads.ts'
import { PDF, PIXEL } from './packages.ts'

const text = (words: string): LessonNode => ({ type: 'text', text: words })
const paragraph = (words: string): LessonNode => ({ type: 'paragraph', content: [text(words)] })
const words = (line: string): LessonDoc => ({ type: 'doc', content: [paragraph(line)] })

const RULES: AccessRule[] = [
  { mode: 'open' },
  { mode: 'date', at: '2027-03-28T01:30:00.000Z' },
  { mode: 'afterStart', days: 3, time: '09:00', zone: 'Europe/Kyiv' },
  { mode: 'afterPrevious', of: 'lesson', require: 'homeworkAccepted', delayHours: 12 },
  { mode: 'afterPrevious', of: 'module', require: 'testPassed' },
  { mode: 'manual' },
  { mode: 'all', rules: [{ mode: 'open' }, { mode: 'any', rules: [{ mode: 'manual' }, { mode: 'open' }] }] },
]
const COMPLETIONS: CompletionRule[] = [
  { mode: 'manual' },
  { mode: 'watched', percent: 80 },
  { mode: 'taskAccepted' },
  { mode: 'testPassed' },
]

export interface SampleFiles {
  picture: string
  second: string
  video: string
  sound: string
  paper: string
  sheet: string
}

/** Stores a file of every kind, with texts for videos. */
async function shelve(actor: Actor): Promise<SampleFiles> {
  const put = async (name: string, bytes: Uint8Array) => (await uploadFile(actor, name, new Uint8Array(bytes))).id
  const video = await put(
    'Ефір.mp4',
    Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from('ftypisom\0\0\x02\0isomiso2'), Buffer.alloc(64)]),
  )
  const sampleFiles = {
    picture: await put('Схема.png', PIXEL),
    second: await put('Друга.gif', Buffer.from('R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==', 'base64')),
    video,
    sound: await put('Голос.wav', Buffer.concat([Buffer.from('RIFF\x40\0\0\0WAVEfmt '), Buffer.alloc(64)])),
    paper: await put('Пам’ятка (1).pdf', PDF),
    sheet: await put('дані.csv', Buffer.from('а;б\n1;2\n')),
  }
  await saveTexts(actor, { fileId: video, name: 'Ефір.mp4', description: 'Запис першого ефіру' })
  await saveChapters(actor, {
    fileId: video,
    chapters: [
      { at: 0, title: 'Вступ' },
      { at: 12.5, title: 'Далі' },
    ],
  })
  await saveCaption(actor, { fileId: video, lang: 'uk', text: 'WEBVTT\n\n00:01.000 --> 00:02.000\nСлова' })
  return sampleFiles
}

/** A text with every kind of block of a lesson. */
export function everyBlock(files: SampleFiles, taskId: string): LessonDoc {
  const image = (id: string, alt: string): LessonNode => ({ type: 'image', attrs: { src: srcOf(id), alt } })
  const item = (type: string, attrs?: LessonNode['attrs']): LessonNode => ({
    type,
    ...(attrs ? { attrs } : {}),
    content: [paragraph('Пункт')],
  })
  const cell = (type: string, attrs?: LessonNode['attrs']): LessonNode => ({
    type,
    ...(attrs ? { attrs } : {}),
    content: [paragraph('Клітинка')],
  })
  const marks = ['bold', 'italic', 'strike', 'underline'].map((type) => ({ type }))
  return {
    type: 'doc',
    content: [
      { type: 'heading', attrs: { level: 2 }, content: [text('Заголовок')] },
      {
        type: 'paragraph',
        content: [
          { type: 'text', text: 'Усе', marks },
          { type: 'hardBreak' },
          { type: 'text', text: 'код', marks: [{ type: 'code' }] },
          { type: 'text', text: 'слово', marks: [{ type: 'link', attrs: { href: 'https://example.org/a?b=c' } }] },
        ],
      },
      { type: 'paragraph', content: [text('Площа: '), { type: 'inlineMath', attrs: { latex: 'S = \\pi r^2' } }] },
      { type: 'blockMath', attrs: { latex: '\\frac{a}{b}' } },
      { type: 'bulletList', content: [item('listItem')] },
      { type: 'orderedList', attrs: { start: 3 }, content: [item('listItem')] },
      { type: 'taskList', content: [item('taskItem', { checked: true })] },
      { type: 'blockquote', content: [paragraph('Цитата')] },
      { type: 'codeBlock', attrs: { language: 'ts' }, content: [text('const a = 1')] },
      { type: 'horizontalRule' },
      image(files.picture, 'Схема'),
      { type: 'gallery', content: [image(files.picture, ''), image(files.second, 'Друга')] },
      { type: 'video', attrs: { fileId: files.video } },
      { type: 'audio', attrs: { fileId: files.sound } },
      // A picture offered for download stays a file block.
      { type: 'file', attrs: { fileId: files.picture, name: 'Схема у файлі.png' } },
      { type: 'file', attrs: { fileId: files.sheet, name: 'дані.csv' } },
      { type: 'pdf', attrs: { fileId: files.paper, name: 'Пам’ятка' } },
      { type: 'embed', attrs: { url: 'https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ', title: 'Фільм' } },
      { type: 'callout', attrs: { tone: 'tip' }, content: [paragraph('Порада'), image(files.second, 'Ще')] },
      { type: 'button', attrs: { label: 'Далі', href: '/courses' } },
      {
        type: 'table',
        content: [
          { type: 'tableRow', content: [cell('tableHeader', { colspan: 2 })] },
          { type: 'tableRow', content: [cell('tableCell'), cell('tableCell', { rowspan: 1 })] },
        ],
      },
      {
        type: 'columns',
        content: [
          { type: 'column', content: [paragraph('Ліворуч')] },
          { type: 'column', content: [{ type: 'pdf', attrs: { fileId: files.paper, name: 'Праворуч' } }] },
        ],
      },
      { type: 'task', attrs: { taskId } },
      { type: 'test', attrs: { testId: null } },
    ],
  }
}

const TASK: TaskText = {
  title: 'Запишіть ефір',
  type: 'video',
  instructions: EMPTY_DOC,
  fileIds: [],
  acceptTypes: ['video', 'audio'],
  maxFiles: 3,
  maxBytes: 10 * 1024 * 1024,
  dueRule: RULES[2] ?? null,
  latePolicy: 'refuse',
  grading: 'points',
  maxPoints: 10,
  passPoints: 6,
  maxAttempts: 2,
  showSample: 'afterAccept',
  slaHours: 24,
  required: true,
  sampleAnswer: words('Приклад'),
  rubric: [
    {
      id: 'voice',
      title: 'Голос',
      levels: [
        { title: 'Добре', text: 'Чути кожне слово', points: 5 },
        { title: 'Ще ні', text: '', points: 0 },
      ],
    },
  ],
}

const PLAIN = {
  title: 'Напишіть план',
  type: 'file' as const,
  required: false,
  dueRule: null,
  rubric: [],
  sampleAnswer: null,
}

/** A course with all features: every block, rule, setting and kind of file, and homework. */
export async function write(actor: Actor) {
  const files = await shelve(actor)
  const { courseId } = await createCourse(actor, { title: 'Усе про ефір' })
  const { moduleId } = await addModule(actor, { courseId, title: 'Перший модуль', description: 'Опис\nмодуля' })
  const { lessonId } = await addLesson(actor, { moduleId, title: 'Усе', durationMinutes: 25 })
  const { taskId } = await addTask(actor, { lessonId })
  const { taskId: second } = await addTask(actor, { lessonId })
  const instructions: LessonDoc = {
    type: 'doc',
    content: [{ type: 'pdf', attrs: { fileId: files.paper, name: 'Умови' } }],
  }
  await saveTask(actor, { ...TASK, taskId, version: 1, instructions, fileIds: [files.sheet, files.paper] })
  await saveTask(actor, { ...TASK, ...PLAIN, taskId: second, version: 1 })
  const { lessonId: last } = await addLesson(actor, { moduleId, title: 'Читають інше', blocks: words('Колишнє') })
  await inTenant(actor, async (tx) => {
    await tx
      .update(lesson)
      .set({ blocks: everyBlock(files, taskId), words: 1 })
      .where(eq(lesson.id, lessonId))
  })
  await publishLesson(actor, { lessonId: last })
  await inTenant(actor, (tx) =>
    tx
      .update(lesson)
      .set({ blocks: words('Нинішнє'), title: 'Пишуть інше', version: 2 })
      .where(eq(lesson.id, last)),
  )
  const { moduleId: rules } = await addModule(actor, { courseId, title: 'Правила' })
  for (const [index, availability] of RULES.entries()) {
    const { lessonId: id } = await addLesson(actor, {
      moduleId: rules,
      title: `Правило ${index}`,
      blocks: words('Зміст'),
    })
    if (index === 0) await publishLesson(actor, { lessonId: id })
    const odd = index % 2 === 1
    const settings = {
      availability,
      freePreview: odd,
      required: !odd,
      hidden: index === 3,
      durationMinutes: odd ? 7 : null,
    }
    const completionRule = COMPLETIONS[index % COMPLETIONS.length] ?? { mode: 'manual' }
    await inTenant(actor, (tx) =>
      tx
        .update(lesson)
        .set({ ...settings, completionRule })
        .where(eq(lesson.id, id)),
    )
  }
  await inTenant(actor, (tx) =>
    tx.update(courseModule).set({ availability: RULES[3], hidden: true }).where(eq(courseModule.id, rules)),
  )
  await addModule(actor, { courseId, title: 'Порожній' })
  const { moduleId: gone } = await addModule(actor, { courseId, title: 'Видалений' })
  await deleteModule(actor, { moduleId: gone })
  await updateCourse(actor, {
    courseId,
    shortDescription: 'Коротко',
    category: 'Сцена',
    tags: ['голос', 'ефір'],
    language: 'en',
    level: 'middle',
    progression: 'drip',
    startFrom: 'opening',
    lessonNumbering: false,
    estimatedMinutes: 90,
    homeworkSlaHours: 48,
    accessStart: '2026-12-01T10:00:00.000Z',
    accessEnd: '2027-12-01T10:00:00.000Z',
    seoTitle: 'У пошуку',
    seoDescription: 'Опис у пошуку',
    coverFileId: files.picture,
    promoVideoFileId: files.video,
    description: {
      type: 'doc',
      content: [paragraph('Докладно'), { type: 'image', attrs: { src: srcOf(files.second), alt: 'Так' } }],
    },
  })
  return { courseId, lessonId, files }
}
