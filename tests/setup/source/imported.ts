import { and, eq, ne } from 'drizzle-orm'
import { inTenant } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { LessonDoc } from '#lib/core/shared/lesson-doc.ts'
import { getCourse } from '#lib/course/course.ts'
import { getLesson } from '#lib/course/lesson/lesson.ts'
import { getOutline } from '#lib/course/outline/outline.ts'
import type { CourseTransferView } from '#lib/course/transfer/transfer.ts'
import { listTasks } from '#lib/homework/task/task.ts'
import { richTextsOf } from '#lib/quiz/bank/question-facts.ts'
import { describeTests } from '#lib/quiz/transfer/course/describe-tests.ts'
import { file } from '#lib/storage/table.ts'
import type { ImportedContent } from './balance.ts'

/** Reads everything that an import wrote into an empty tenant. Throws if the import failed. */
export async function readImportedContent(actor: Actor, transfer: CourseTransferView): Promise<ImportedContent> {
  const { courseId, report, failure } = transfer
  if (!courseId || !report) throw new Error(`not imported: ${JSON.stringify(failure)}`)
  const course = await getCourse(actor, { courseId })
  const titles = [course.title]
  const docs: LessonDoc[] = course.description ? [course.description] : []
  for (const { title, description, lessons } of await getOutline(actor, { courseId })) {
    titles.push(title, description)
    for (const { id, title } of lessons) {
      const tasks = await listTasks(actor, { lessonId: id })
      titles.push(title, ...tasks.flatMap((task) => [task.title, ...task.files.map(({ name }) => name)]))
      docs.push((await getLesson(actor, { lessonId: id })).blocks, ...tasks.map(({ instructions }) => instructions))
    }
  }
  const { quizzes, questions } = await inTenant(actor, (tx) => describeTests(tx, courseId))
  titles.push(...quizzes.map(({ title }) => title))
  docs.push(...quizzes.flatMap(({ intro }) => intro ?? []), ...questions.flatMap(({ content }) => richTextsOf(content)))
  const stored = await inTenant(actor, (tx) =>
    tx
      .select({ name: file.name })
      .from(file)
      .where(and(eq(file.area, 'storage'), ne(file.kind, 'folder'))),
  )
  const files = stored.map(({ name }) => name).filter((name) => name !== transfer.fileName)
  return { titles, docs, files, report }
}
