import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { inTenant } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { LessonDoc } from '#lib/core/shared/lesson-doc.ts'
import { getCourse } from '#lib/course/course.ts'
import { studyGroup } from '#lib/course/learning/table.ts'
import { getLesson } from '#lib/course/lesson/lesson.ts'
import { changeLessons, changeModule } from '#lib/course/outline/bulk-change.ts'
import { undoChange } from '#lib/course/outline/change.ts'
import { getDates } from '#lib/course/outline/duplicate-course.ts'
import { addLessons, addModule, getOutline } from '#lib/course/outline/outline.ts'
import { publishCourse } from '#lib/course/publish.ts'
import { course, courseStaff, lesson } from '#lib/course/table.ts'
import { task } from '#lib/homework/table.ts'
import { copyTasks } from '#lib/homework/task/copy.ts'
import { copyTests } from '#lib/quiz/copy-quizzes.ts'
import { createCourse } from '../../../setup/parsed/course.ts'
import { addLesson, duplicateCourse, duplicateLessons, duplicateModule } from '../../../setup/parsed/course-outline.ts'
import { createTestTenant } from '../../../setup/tenants.ts'

const text = (words: string) => ({ type: 'paragraph', content: [{ type: 'text', text: words }] })
const code = (refused: string) => expect.objectContaining({ code: refused })

let owner: Actor
beforeAll(async () => {
  owner = (await createTestTenant()).as.OWNER
})

/** A published course of one module and two lessons, the first with homework with a due date. */
async function written() {
  const { courseId } = await createCourse(owner, { title: 'Потік' })
  const { moduleId } = await addModule(owner, { courseId, title: 'Модуль' })
  const taskId = newId()
  const blocks: LessonDoc = { type: 'doc', content: [text('Зміст'), { type: 'task', attrs: { taskId } }] }
  const { lessonId } = await addLesson(owner, { moduleId, title: 'Перший', blocks })
  const { lessonId: second } = await addLesson(owner, { moduleId, title: 'Другий' })
  await inTenant(owner, async (tx) => {
    const about = { tenantId: owner.tenantId, courseId, lessonId }
    const due = { mode: 'date' as const, at: '2026-10-20T06:00:00.000Z' }
    const instructions: LessonDoc = { type: 'doc', content: [text('Зробіть')] }
    await tx.insert(task).values({ ...about, id: taskId, title: 'Завдання', instructions, dueRule: due })
    await tx.update(lesson).set({ taskCount: 1 }).where(eq(lesson.id, lessonId))
  })
  await publishCourse(owner, { courseId })
  return { courseId, moduleId, lessonId, second, taskId }
}

const tasksOf = (lessonId: string) =>
  inTenant(owner, (tx) =>
    tx.select({ id: task.id, title: task.title, dueRule: task.dueRule }).from(task).where(eq(task.lessonId, lessonId)),
  )

const titles = async (courseId: string) =>
  (await getOutline(owner, { courseId })).map((module) => [module.title, module.lessons.map(({ title }) => title)])

describe('copies', () => {
  test('are placed behind their originals, as drafts, with their own homework', async () => {
    const { courseId, lessonId, second, taskId } = await written()
    const input = { courseId, lessonIds: [second, lessonId] }
    const { lessonIds, changeId } = await duplicateLessons(owner, input, copyTasks)
    expect(await titles(courseId)).toEqual([['Модуль', ['Перший', 'Перший (копія)', 'Другий', 'Другий (копія)']]])
    const [outline] = await getOutline(owner, { courseId })
    expect(outline?.lessons.map(({ state, taskCount }) => [state, taskCount])).toEqual(
      [
        ['published', 1],
        ['new', 1],
        ['published', 0],
        ['new', 0],
      ].map(([state, count], at) => [at === 2 ? 'new' : state, count]),
    )
    const copy = outline?.lessons[1]?.id ?? ''
    expect(lessonIds).toContain(copy)
    const [made] = await tasksOf(copy)
    expect(made?.id).not.toBe(taskId)
    const { blocks, version } = await getLesson(owner, { lessonId: copy })
    expect([blocks.content[1], version]).toEqual([{ type: 'task', attrs: { taskId: made?.id } }, 1])
    await undoChange(owner, { changeId: changeId ?? '' })
    expect(await titles(courseId)).toEqual([['Модуль', ['Перший', 'Другий']]])
  })

  test('omit homework on request', async () => {
    const { courseId, lessonId } = await written()
    const input = { courseId, lessonIds: [lessonId], tasks: false }
    const { lessonIds } = await duplicateLessons(owner, input, copyTasks)
    const copy = lessonIds[0] ?? ''
    expect(await tasksOf(copy)).toEqual([])
    expect((await getLesson(owner, { lessonId: copy })).blocks.content).toEqual([text('Зміст')])
  })

  test('of a module include its lessons', async () => {
    const { courseId, moduleId } = await written()
    await addModule(owner, { courseId, title: 'Другий модуль' })
    const { changeId } = await duplicateModule(owner, { moduleId }, copyTasks)
    expect(await titles(courseId)).toEqual([
      ['Модуль', ['Перший', 'Другий']],
      ['Модуль (копія)', ['Перший', 'Другий']],
      ['Другий модуль', []],
    ])
    expect((await getCourse(owner, { courseId })).lessonCount).toBe(4)
    await undoChange(owner, { changeId: changeId ?? '' })
    expect((await getCourse(owner, { courseId })).lessonCount).toBe(2)
  })

  test('of a long title stay within the length limit', async () => {
    const { courseId, moduleId } = await written()
    const { lessonIds } = await addLessons(owner, { moduleId, titles: ['я'.repeat(160)] })
    await duplicateLessons(owner, { courseId, lessonIds }, copyTasks)
    const long = (await titles(courseId))[0]?.[1]?.at(-1) ?? ''
    expect([long.length, long.endsWith('… (копія)')]).toEqual([160, true])
  })
})

describe('a new cohort', () => {
  test('is a draft of everything except people, with dates moved at the same local time', async () => {
    const { courseId, moduleId, lessonId, second } = await written()
    await inTenant(owner, async (tx) => {
      const dates = { accessStart: new Date('2026-10-20T06:00:00Z'), accessEnd: new Date('2026-12-01T07:00:00Z') }
      await tx
        .update(course)
        .set({ ...dates, tags: ['ефір'], level: 'middle' })
        .where(eq(course.id, courseId))
      const about = { tenantId: owner.tenantId, courseId }
      await tx
        .insert(courseStaff)
        .values({ ...about, memberId: owner.membershipId, role: 'expert' })
        .onConflictDoNothing()
      await tx.insert(studyGroup).values({ ...about, name: 'Осінь', startAt: new Date('2026-10-21T06:00:00Z') })
    })
    const on = (at: string) => ({ mode: 'date' as const, at })
    const set = (lessonIds: string[], at: string) =>
      changeLessons(owner, { courseId, lessonIds, change: { availability: on(at) } })
    // A week apart, so that the first is moved to the former day of the second.
    await set([lessonId], '2026-10-20T06:00:00.000Z')
    await set([second], '2026-10-27T07:00:00.000Z')
    await changeModule(owner, {
      moduleId,
      change: { availability: { mode: 'all', rules: [on('2026-10-19T06:00:00.000Z'), { mode: 'manual' }] } },
    })
    const dates = await getDates(owner, { courseId })
    expect(dates).toEqual({ first: new Date('2026-10-19T06:00:00Z'), count: 6, groups: 1 })

    const input = { courseId, title: 'Потік 2', shiftDays: 7, groups: true }
    const made = await duplicateCourse(owner, input, { copyTasks, copyTests })
    const copy = await getCourse(owner, { courseId: made.courseId })
    expect(copy).toMatchObject({ title: 'Потік 2', status: 'draft', level: 'middle', tags: ['ефір'], lessonCount: 2 })
    expect([copy.studentCount, copy.publishedLessonCount]).toEqual([0, 0])
    expect(copy.slug).toMatch(/^potik-2(-\d+)?$/)
    const [module] = await getOutline(owner, { courseId: made.courseId })
    expect(module?.availability).toEqual({ mode: 'all', rules: [on('2026-10-26T07:00:00.000Z'), { mode: 'manual' }] })
    expect(module?.lessons.map(({ availability }) => availability)).toEqual([
      on('2026-10-27T07:00:00.000Z'),
      on('2026-11-03T07:00:00.000Z'),
    ])
    const [row] = await inTenant(owner, (tx) => tx.select().from(course).where(eq(course.id, made.courseId)))
    expect(row?.accessStart).toEqual(new Date('2026-10-27T07:00:00Z'))
    const [group] = await inTenant(owner, (tx) =>
      tx.select().from(studyGroup).where(eq(studyGroup.courseId, made.courseId)),
    )
    expect(group).toMatchObject({ name: 'Осінь', startAt: new Date('2026-10-28T07:00:00Z'), endAt: null })
    const [due] = await tasksOf(module?.lessons[0]?.id ?? '')
    expect(due?.dueRule).toEqual(on('2026-10-27T07:00:00.000Z'))
    expect(await getDates(owner, { courseId })).toEqual(dates)
  })

  test('copies a course of 300 lessons in one operation', async () => {
    const { courseId, moduleId } = await written()
    for (let part = 0; part < 3; part += 1) {
      await addLessons(owner, { moduleId, titles: Array.from({ length: 100 }, (_, at) => `Урок ${part}-${at}`) })
    }
    const before = performance.now()
    const made = await duplicateCourse(owner, { courseId }, { copyTasks, copyTests })
    expect(performance.now() - before).toBeLessThan(3000)
    expect((await getCourse(owner, { courseId: made.courseId })).lessonCount).toBe(302)
    expect((await titles(made.courseId))[0]?.[1]).toEqual((await titles(courseId))[0]?.[1])
  })

  test("is refused when the plan's course limit is reached", async () => {
    const { courseId } = await written()
    // The smallest plan allows three.
    const limited = { ...owner, plans: owner.plans.map((row) => ({ ...row, plan: 'start' as const })) }
    await expect(duplicateCourse(limited, { courseId }, { copyTasks, copyTests })).rejects.toEqual(
      code('unprocessable'),
    )
  })
})
