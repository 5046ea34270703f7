import type { Actor } from '#lib/core/shared/actor.ts'
import { getLesson, publishLesson } from '#lib/course/lesson/lesson.ts'
import { saveLesson } from '#lib/course/lesson/save.ts'
import { changeLessons } from '#lib/course/outline/bulk-change.ts'
import { plainRichText } from '#lib/quiz/question/rich-text-schema.ts'
import type { QuestionContentInput } from '#lib/quiz/question/schema.ts'
import type { ImportedCourse } from '../import-course.ts'
import { addTest } from './reviewed-tests.ts'

const text = plainRichText

const QUESTIONS: QuestionContentInput[] = [
  {
    type: 'ordering',
    stem: text('Упорядкуйте розминку перед ефіром.'),
    items: ['дихання', 'голос', 'дикція'].map((content, index) => ({ id: `i${index}`, content: text(content) })),
  },
  { type: 'trueFalse', stem: text('Якщо болить горло, голос треба тренувати довше.'), correct: false },
  {
    type: 'single',
    stem: text('Коли говорити, щоб голосу вистачило повітря?'),
    options: [
      { id: 'a', content: text('На спокійному видиху'), fraction: 1 },
      { id: 'b', content: text('Затримавши подих'), fraction: 0 },
      { id: 'c', content: text('Одразу після глибокого вдиху через рот'), fraction: 0 },
    ],
  },
]

/** A test at the end of the third lesson: passing it completes the lesson and opens the next one. Returns its id. */
export async function addLessonTest(author: Actor, { courseId, lessonIds }: ImportedCourse): Promise<string> {
  const [tested, next] = lessonIds.slice(2)
  if (!tested || !next) throw new Error('the course has too few lessons')
  const { quizId } = await addTest(author, courseId, 'Розминка перед ефіром', QUESTIONS, { passPercent: 60 })
  const { version, blocks } = await getLesson(author, { lessonId: tested })
  const insert = [{ type: 'test', attrs: { testId: quizId } }]
  await saveLesson(author, { lessonId: tested, version, change: { at: blocks.content.length, remove: 0, insert } })
  await publishLesson(author, { lessonId: tested })
  const completionRule = { mode: 'testPassed' } as const
  await changeLessons(author, { courseId, lessonIds: [tested], change: { completionRule } })
  const availability = { mode: 'afterPrevious', of: 'lesson', require: 'testPassed' } as const
  await changeLessons(author, { courseId, lessonIds: [next], change: { availability } })
  return quizId
}
