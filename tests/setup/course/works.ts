import { inTenant } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { EMPTY_DOC } from '#lib/core/shared/lesson-doc.ts'
import { grantAccess } from '#lib/course/access/grants.ts'
import { addModule } from '#lib/course/outline/outline.ts'
import { publishCourse } from '#lib/course/publish.ts'
import { courseStaff } from '#lib/course/table.ts'
import { submission, task } from '#lib/homework/table.ts'
import { createCourse } from '../parsed/course.ts'
import { addLesson } from '../parsed/course-outline.ts'
import { addTestMember, type TestTenant } from '../tenants.ts'

export interface TaskPlace {
  courseId: string
  moduleId: string
  lessonId: string
  taskId: string
}

/** A published course with one lesson that has one task. */
export async function withTask(
  owner: Actor,
  more: Partial<typeof task.$inferInsert> = {},
  title = 'Курс із завданням',
): Promise<TaskPlace> {
  const { courseId } = await createCourse(owner, { title })
  const { moduleId } = await addModule(owner, { courseId, title: 'Модуль' })
  const text = { type: 'paragraph', content: [{ type: 'text', text: 'Зміст' }] }
  const { lessonId } = await addLesson(owner, { moduleId, title: 'Урок', blocks: { type: 'doc', content: [text] } })
  await publishCourse(owner, { courseId })
  const taskId = newId()
  await inTenant(owner, (tx) =>
    tx.insert(task).values({
      tenantId: owner.tenantId,
      id: taskId,
      courseId,
      lessonId,
      title: 'План заняття',
      instructions: EMPTY_DOC,
      ...more,
    }),
  )
  return { courseId, moduleId, lessonId, taskId }
}

/** A submission in the database, submitted `ago` hours ago. */
export async function handedIn(
  student: Actor,
  place: TaskPlace,
  { ago = 1, ...more }: Partial<typeof submission.$inferInsert> & { ago?: number } = {},
): Promise<string> {
  const id = newId()
  const { courseId, lessonId, taskId } = place
  await inTenant(student, (tx) =>
    tx.insert(submission).values({
      tenantId: student.tenantId,
      id,
      courseId,
      lessonId,
      taskId,
      studentId: student.membershipId,
      state: 'submitted' as const,
      text: 'Моя відповідь',
      submittedAt: new Date(Date.now() - ago * 3_600_000),
      ...more,
    }),
  )
  return id
}

/** Adds a member to the staff of a course. */
export async function putOnCourse(actor: Actor, courseId: string): Promise<void> {
  const row = { tenantId: actor.tenantId, courseId, memberId: actor.membershipId, role: 'curator' as const }
  await inTenant(actor, (tx) => tx.insert(courseStaff).values(row))
}

/** Adds a student with access to a course. */
export async function learner(home: TestTenant, courseId: string, email: string): Promise<Actor> {
  const student = await addTestMember(home, 'STUDENT', email)
  await grantAccess(home.as.OWNER, { courseId, studentId: student.membershipId })
  return student
}
