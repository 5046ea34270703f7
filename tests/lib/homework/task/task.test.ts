import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { inTenant } from '#lib/core/db/db.ts'
import { lesson } from '#lib/course/table.ts'
import { getHomework } from '#lib/homework/submission/submission.ts'
import { addTask, deleteTask, findTask, listTasks, restoreTask, saveTask } from '#lib/homework/task/task.ts'
import { listUses } from '#lib/storage/file-use.ts'
import { requestApi } from '../../../api/api-request.ts'
import { learner, type TaskPlace, withTask } from '../../../setup/course/works.ts'
import { storeFile } from '../../../setup/files.ts'
import { createOtherTenant, createTestTenant, type TestTenant } from '../../../setup/tenants.ts'

const code = (name: string) => expect.objectContaining({ code: name })

let home: TestTenant
let place: TaskPlace
beforeAll(async () => {
  home = await createTestTenant()
  place = await withTask(home.as.OWNER)
})

async function required(lessonId: string) {
  const [row] = await inTenant(home.as.OWNER, (tx) =>
    tx.select({ count: lesson.taskCount }).from(lesson).where(eq(lesson.id, lessonId)),
  )
  return row?.count
}

async function written(taskId: string) {
  const found = (await listTasks(home.as.EXPERT, { lessonId: place.lessonId })).find(({ id }) => id === taskId)
  if (!found) throw new Error('the task is not listed')
  const { id: _, files: _1, ...text } = found
  return { ...text, taskId }
}

describe('a task of a lesson', () => {
  test('is visible to the author only until it has a title, then visible to students and counted by the lesson', async () => {
    const student = await learner(home, place.courseId, 'reader@task.test')
    const { taskId } = await addTask(home.as.EXPERT, { lessonId: place.lessonId })
    const seen = async () => (await getHomework(student, { lessonId: place.lessonId })).map(({ id }) => id)
    expect(await seen()).toEqual([place.taskId])
    const fileId = await storeFile(home.as.OWNER, { name: 'Зразок.pdf', bytes: 'pdf' })
    const text = await written(taskId)
    expect(await saveTask(home.as.EXPERT, { ...text, title: 'Есе', fileIds: [fileId] })).toEqual({ version: 2 })
    expect(await seen()).toEqual([place.taskId, taskId])
    expect(await required(place.lessonId)).toBe(2)
    expect(await listUses(home.as.OWNER, { fileId })).toEqual([{ kind: 'task', id: taskId, title: 'Есе' }])
    await deleteTask(home.as.EXPERT, { taskId })
    expect(await seen()).toEqual([place.taskId])
    await expect(findTask(home.as.EXPERT, { taskId })).rejects.toEqual(code('not_found'))
    await restoreTask(home.as.EXPERT, { taskId })
    expect(await required(place.lessonId)).toBe(2)
    expect(await findTask(home.as.CURATOR, { taskId })).toEqual({ title: 'Есе' })
  })

  test('is saved over the version it was edited from, and not over a newer one', async () => {
    const { taskId } = await addTask(home.as.EXPERT, { lessonId: place.lessonId })
    const text = await written(taskId)
    const { version } = await saveTask(home.as.EXPERT, { ...text, title: 'Перша назва' })
    expect(await saveTask(home.as.EXPERT, { ...text, title: 'Перша назва' })).toEqual({ version })
    await expect(saveTask(home.as.OWNER, { ...text, title: 'Друга назва' })).rejects.toMatchObject({
      code: 'conflict',
      details: { data: { version, task: { title: 'Перша назва' } } },
    })
  })

  test('requires points that add up and an existing local deadline', async () => {
    const text = await written(place.taskId)
    const points = { grading: 'points' as const, maxPoints: 5, passPoints: 6 }
    for (const [invalid, fields] of [
      [points, { passPoints: [expect.any(String)] }],
      [{ ...points, maxPoints: null }, { maxPoints: [expect.any(String)] }],
      [{ dueRule: { mode: 'manual' } }, {}],
    ] as const) {
      const reply = await requestApi('POST', 'homework/saveTask', {
        actor: home.as.EXPERT,
        body: { ...text, ...invalid },
      })
      expect(reply).toMatchObject({ status: 400, body: { code: 'invalid', fields } })
    }
  })

  test('is edited by those who write courses, of their own school', async () => {
    const text = await written(place.taskId)
    await expect(saveTask(home.as.CURATOR, text)).rejects.toEqual(code('forbidden'))
    await expect(addTask(home.as.STUDENT, { lessonId: place.lessonId })).rejects.toEqual(code('forbidden'))
    const { as: theirs } = await createOtherTenant()
    await expect(saveTask(theirs.EXPERT, text)).rejects.toEqual(code('not_found'))
    await expect(listTasks(theirs.EXPERT, { lessonId: place.lessonId })).rejects.toEqual(code('not_found'))
    await expect(findTask(theirs.EXPERT, { taskId: place.taskId })).rejects.toEqual(code('not_found'))
  })
})
