import { eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { inTenant } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { undoChange } from '#lib/course/outline/change.ts'
import { addLessons, addModule, getOutline } from '#lib/course/outline/outline.ts'
import { outlineChange } from '#lib/course/outline/table.ts'
import {
  deleteLesson,
  deleteLessons,
  deleteModule,
  listTrash,
  restoreLesson,
  restoreLessons,
  restoreModule,
} from '#lib/course/outline/trash.ts'
import { sweepCourseTrash } from '#lib/course/outline/trash-sweep.ts'
import { courseModule, lesson } from '#lib/course/table.ts'
import { task } from '#lib/homework/table.ts'
import { createCourse } from '../../../setup/parsed/course.ts'
import { addLesson } from '../../../setup/parsed/course-outline.ts'
import { createTestTenant } from '../../../setup/tenants.ts'

const code = (refused: string) => expect.objectContaining({ code: refused })

let owner: Actor
beforeAll(async () => {
  owner = (await createTestTenant()).as.OWNER
})

async function written() {
  const { courseId } = await createCourse(owner, { title: 'Курс' })
  const { moduleId } = await addModule(owner, { courseId, title: 'А' })
  const { moduleId: last } = await addModule(owner, { courseId, title: 'Б' })
  const { lessonIds } = await addLessons(owner, { moduleId, titles: ['1', '2', '3'] })
  const [first = '', two = '', three = ''] = lessonIds
  const shape = async () =>
    (await getOutline(owner, { courseId }))
      .map(({ title, lessons }) => `${title}:${lessons.map((each) => each.title).join('')}`)
      .join(' ')
  return { courseId, moduleId, last, first, two, three, lessonIds, shape }
}

const age = (table: typeof lesson | typeof courseModule, id: string, days: number) =>
  inTenant(owner, (tx) =>
    tx
      .update(table)
      .set({ deletedAt: sql`now() - make_interval(days => ${days})` })
      .where(eq(table.id, id)),
  )

describe('the trash', () => {
  test('lists deleted items with their origin and author, newest first', async () => {
    const { courseId, moduleId, two } = await written()
    await deleteLessons(owner, { courseId, lessonIds: [two] })
    await deleteModule(owner, { moduleId })
    const items = await listTrash(owner, { courseId })
    expect(items).toMatchObject([
      { kind: 'module', id: moduleId, title: 'А', lessonCount: 2, deletedBy: 'owner Тест' },
      { kind: 'lesson', id: two, title: '2', moduleTitle: 'А', deletedBy: 'owner Тест' },
    ])
  })

  test('restores lessons to their positions', async () => {
    const { courseId, first, two, shape } = await written()
    await deleteLessons(owner, { courseId, lessonIds: [first, two] })
    expect(await shape()).toBe('А:3 Б:')
    const { changeId } = await restoreLessons(owner, { courseId, lessonIds: [first, two] })
    expect(await shape()).toBe('А:123 Б:')
    expect(await listTrash(owner, { courseId })).toEqual([])
    await undoChange(owner, { changeId: changeId ?? '' })
    expect(await shape()).toBe('А:3 Б:')
  })

  test('restores a lesson of a deleted module at the end of the course, or with the module when there is no other', async () => {
    const { courseId, moduleId, last, first, two, shape } = await written()
    await deleteLessons(owner, { courseId, lessonIds: [first, two] })
    await deleteModule(owner, { moduleId })
    await restoreLesson(owner, { lessonId: two })
    expect(await shape()).toBe('Б:2')
    await deleteModule(owner, { moduleId: last })
    await restoreLesson(owner, { lessonId: first })
    expect(await shape()).toBe('А:13')
  })

  test('allows repeated calls', async () => {
    const { courseId, moduleId, first, shape } = await written()
    await deleteLesson(owner, { lessonId: first })
    expect(await deleteLesson(owner, { lessonId: first })).toEqual({ changeId: null })
    await restoreLesson(owner, { lessonId: first })
    expect(await restoreLessons(owner, { courseId, lessonIds: [first] })).toEqual({ changeId: null, changed: [] })
    await Promise.all([1, 2, 3].map(() => deleteModule(owner, { moduleId })))
    await Promise.all([1, 2, 3].map(() => restoreModule(owner, { moduleId })))
    expect(await shape()).toBe('А:123 Б:')
  })

  test('shows and restores nothing after 30 days', async () => {
    const { courseId, moduleId, first } = await written()
    await deleteLessons(owner, { courseId, lessonIds: [first] })
    await age(lesson, first, 31)
    await deleteModule(owner, { moduleId })
    await age(courseModule, moduleId, 31)
    expect(await listTrash(owner, { courseId })).toEqual([])
    await expect(restoreLessons(owner, { courseId, lessonIds: [first] })).rejects.toEqual(code('not_found'))
    expect(await restoreModule(owner, { moduleId })).toEqual({ changeId: null })
  })
})

describe('the sweep', () => {
  test('deletes items older than 30 days and nothing else', async () => {
    const { courseId, moduleId, first, two, last } = await written()
    const { lessonIds } = await addLessons(owner, { moduleId: last, titles: ['4'] })
    await deleteLessons(owner, { courseId, lessonIds: [first, two] })
    await age(lesson, first, 31)
    await age(lesson, two, 29)
    await deleteModule(owner, { moduleId: last })
    await age(courseModule, last, 31)
    expect(await sweepCourseTrash()).toBeGreaterThanOrEqual(2)
    const left = await inTenant(owner, (tx) =>
      tx.select({ id: lesson.id }).from(lesson).where(eq(lesson.courseId, courseId)),
    )
    expect(left.map(({ id }) => id)).not.toContain(first)
    expect(left.map(({ id }) => id)).not.toContain(lessonIds[0])
    expect(left).toHaveLength(2)
    const modules = await inTenant(owner, (tx) =>
      tx.select({ id: courseModule.id }).from(courseModule).where(eq(courseModule.courseId, courseId)),
    )
    expect(modules).toEqual([{ id: moduleId }])
    await restoreLesson(owner, { lessonId: two })
    expect(await sweepCourseTrash()).toBe(0)
  })

  test('keeps the row of a lesson with homework, without its text', async () => {
    const { courseId, moduleId } = await written()
    const blocks = {
      type: 'doc' as const,
      content: [{ type: 'paragraph', content: [{ type: 'text', text: 'Зміст' }] }],
    }
    const { lessonId } = await addLesson(owner, { moduleId, title: 'З завданням', blocks })
    const about = { tenantId: owner.tenantId, courseId, lessonId }
    await inTenant(owner, (tx) => tx.insert(task).values({ ...about, title: 'Завдання', instructions: blocks }))
    await deleteLesson(owner, { lessonId })
    await age(lesson, lessonId, 31)
    expect(await sweepCourseTrash()).toBe(1)
    expect(await sweepCourseTrash()).toBe(0)
    const [row] = await inTenant(owner, (tx) => tx.select().from(lesson).where(eq(lesson.id, lessonId)))
    expect(row).toMatchObject({ title: 'З завданням', words: 0, publishedBlocks: null })
  })

  test('deletes expired undo records', async () => {
    const { courseId } = await written()
    await sweepCourseTrash(new Date(Date.now() + 2 * 86_400_000))
    const kept = await inTenant(owner, (tx) =>
      tx.select({ id: outlineChange.id }).from(outlineChange).where(eq(outlineChange.courseId, courseId)),
    )
    expect(kept).toEqual([])
  })
})
