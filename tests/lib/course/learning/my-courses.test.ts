import { and, eq } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { inTenant } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { LessonDoc, LessonNode } from '#lib/core/shared/lesson-doc.ts'
import { grantAccess } from '#lib/course/access/grants.ts'
import { revokeAccess } from '#lib/course/access/revoke.ts'
import { completeLesson, reopenLesson } from '#lib/course/learning/completion.ts'
import { listMyCourses, viewCourse } from '#lib/course/learning/my-courses.ts'
import { listLessonNotes, saveNote } from '#lib/course/learning/note.ts'
import { openLesson } from '#lib/course/learning/open-lesson.ts'
import { setTaskCount } from '#lib/course/learning/progress.ts'
import { lessonProgress } from '#lib/course/learning/table.ts'
import { addModule } from '#lib/course/outline/outline.ts'
import { publishCourse } from '#lib/course/publish.ts'
import type { CompletionRule } from '#lib/course/schema.ts'
import { course, lesson } from '#lib/course/table.ts'
import { file, video } from '#lib/storage/table.ts'
import { requestApi } from '../../../api/api-request.ts'
import { createCourse } from '../../../setup/parsed/course.ts'
import { saveWatched } from '../../../setup/parsed/course-learning.ts'
import { addLesson } from '../../../setup/parsed/course-outline.ts'
import { addTestMember, createOtherTenant, createTestTenant, type TestTenant } from '../../../setup/tenants.ts'

const code = (refused: string) => expect.objectContaining({ code: refused })
const doc = (...content: LessonNode[]): LessonDoc => ({ type: 'doc', content })
const words = (text: string): LessonNode => ({ type: 'paragraph', content: [{ type: 'text', text }] })
const videoBlock = (fileId: string): LessonNode => ({ type: 'video', attrs: { fileId } })

let ours: TestTenant
let theirs: TestTenant
let owner: Actor
beforeAll(async () => {
  ours = await createTestTenant()
  theirs = await createOtherTenant()
  owner = ours.as.OWNER
})

let student: Actor
let count = 0
beforeEach(async () => {
  count += 1
  student = await addTestMember(ours, 'STUDENT', `learner-${count}@study.test`)
})

/** Inserts a video file; `duration` in seconds, null while it is unknown. */
async function insertVideo(duration: number | null = 100): Promise<string> {
  const id = newId()
  const { tenantId, membershipId: ownerId } = owner
  await inTenant(owner, async (tx) => {
    await tx
      .insert(file)
      .values({ tenantId, id, ownerId, name: 'Лекція.mp4', kind: 'video', mime: 'video/mp4', size: 9 })
    if (duration !== null) await tx.insert(video).values({ tenantId, fileId: id, state: 'finished', duration })
  })
  return id
}

/** A published course of two lessons, the first with the given content, and a student with access. */
async function learn(rule: CompletionRule, ...content: LessonNode[]) {
  const { courseId } = await createCourse(owner, { title: `Курс ${count}` })
  const { moduleId } = await addModule(owner, { courseId, title: 'Модуль' })
  const blocks = doc(words('Текст'), ...content)
  const { lessonId } = await addLesson(owner, { moduleId, title: 'Перший', blocks })
  const { lessonId: second } = await addLesson(owner, { moduleId, title: 'Другий', blocks: doc(words('Далі')) })
  await inTenant(owner, async (tx) => {
    await tx.update(lesson).set({ completionRule: rule }).where(eq(lesson.id, lessonId))
    await tx.update(course).set({ progression: 'sequential' }).where(eq(course.id, courseId))
  })
  await publishCourse(owner, { courseId })
  await grantAccess(owner, { courseId, studentId: student.membershipId })
  return { courseId, moduleId, lessonId, second }
}

/** Opens a lesson a number of minutes ago. */
async function open(lessonId: string, minutes = 10) {
  const view = await openLesson(student, { lessonId })
  const openedAt = new Date(Date.now() - minutes * 60_000)
  await progress(lessonId, { openedAt })
  return view
}

const mine = (lessonId: string) =>
  and(eq(lessonProgress.studentId, student.membershipId), eq(lessonProgress.lessonId, lessonId))
const progress = (lessonId: string, change: Partial<typeof lessonProgress.$inferInsert>) =>
  inTenant(student, (tx) => tx.update(lessonProgress).set(change).where(mine(lessonId)))
const kept = async (lessonId: string) => {
  const [row] = await inTenant(student, (tx) => tx.select().from(lessonProgress).where(mine(lessonId)))
  return row
}

const WATCH: CompletionRule = { mode: 'watched', percent: 90 }

describe('a lesson that is completed by watching', () => {
  test('is completed by the report that reaches the share, and opens the next', async () => {
    const fileId = await insertVideo()
    const { lessonId, second, courseId } = await learn(WATCH, videoBlock(fileId))
    await open(lessonId)
    const half = await saveWatched(student, { lessonId, watched: { [fileId]: [[0, 50]] } })
    expect(half).toMatchObject({ shares: { [fileId]: 0.5 }, missing: { kind: 'watched', percent: 90, watched: 50 } })
    expect(half.completion).toBeNull()
    const whole = await saveWatched(student, { lessonId, watched: { [fileId]: [[45, 95]] } })
    expect(whole).toMatchObject({
      missing: null,
      completion: { courseId, completed: 1, total: 2, nextLessonId: second },
    })
    expect((await openLesson(student, { lessonId: second })).access.allow).toBe(true)
  })

  test('is completed by the reports of two devices in any order and concurrently', async () => {
    const fileId = await insertVideo()
    const { lessonId } = await learn(WATCH, videoBlock(fileId))
    await open(lessonId)
    const parts = [0, 20, 40, 60, 80].map((from) => ({
      lessonId,
      watched: { [fileId]: [[from, from + 20] as [number, number]] },
    }))
    await Promise.all([...parts].reverse().map((part) => saveWatched(student, part)))
    expect(await kept(lessonId)).toMatchObject({ watched: { [fileId]: [[0, 100]] }, completedAt: expect.any(Date) })
  })

  test('stays completed after watching again, an older report or a stricter rule', async () => {
    const fileId = await insertVideo()
    const { lessonId } = await learn(WATCH, videoBlock(fileId))
    await open(lessonId)
    const { completedAt } = await saveWatched(student, { lessonId, watched: { [fileId]: [[0, 95]] } })
    const rule = { mode: 'watched' as const, percent: 100 }
    await inTenant(owner, (tx) => tx.update(lesson).set({ completionRule: rule }).where(eq(lesson.id, lessonId)))
    const again = await saveWatched(student, { lessonId, watched: { [fileId]: [[0, 5]] } })
    expect(again.completedAt).toEqual(completedAt)
    expect((await kept(lessonId))?.watched).toEqual({ [fileId]: [[0, 95]] })
    expect((await completeLesson(student, { lessonId })).completedAt).toEqual(completedAt)
  })

  test('requires each of its videos, also those reported later', async () => {
    const [first, other] = [await insertVideo(), await insertVideo(40)]
    const { lessonId } = await learn(WATCH, videoBlock(first), videoBlock(other))
    await open(lessonId)
    await saveWatched(student, { lessonId, watched: { [first]: [[0, 100]] } })
    expect((await kept(lessonId))?.completedAt).toBeNull()
    const { shares } = await saveWatched(student, { lessonId, watched: { [other]: [[0, 40]] } })
    expect([shares, (await kept(lessonId))?.completedAt]).toEqual([{ [first]: 1, [other]: 1 }, expect.any(Date)])
  })

  test('cannot be completed manually before, names the missing step, and cannot be reopened', async () => {
    const fileId = await insertVideo()
    const { lessonId } = await learn(WATCH, videoBlock(fileId))
    const { content } = await open(lessonId)
    expect(content?.completion).toEqual({ mode: 'watched', missing: { kind: 'watched', percent: 90, watched: 0 } })
    await expect(completeLesson(student, { lessonId })).rejects.toEqual(code('unprocessable'))
    await expect(reopenLesson(student, { lessonId })).rejects.toEqual(code('unprocessable'))
  })

  test('uses the browser’s duration of a video that was not measured', async () => {
    const fileId = await insertVideo(null)
    const { lessonId } = await learn(WATCH, videoBlock(fileId))
    await open(lessonId)
    const watched = { [fileId]: [[0, 58]] as [number, number][] }
    expect((await saveWatched(student, { lessonId, watched })).missing).not.toBeNull()
    expect((await saveWatched(student, { lessonId, watched, durations: { [fileId]: 60 } })).missing).toBeNull()
  })
})

describe('a watch report', () => {
  test('is cut at the duration and ignored for videos outside the lesson', async () => {
    const [fileId, stranger] = [await insertVideo(), await insertVideo()]
    const { lessonId } = await learn(WATCH, videoBlock(fileId))
    await open(lessonId, 60)
    await saveWatched(student, { lessonId, watched: { [fileId]: [[90, 400]], [stranger]: [[0, 50]] } })
    expect((await kept(lessonId))?.watched).toEqual({ [fileId]: [[90, 100]] })
  })

  test('is refused when it is malformed or implausible', async () => {
    const fileId = await insertVideo(3600)
    const { lessonId } = await learn(WATCH, videoBlock(fileId))
    await open(lessonId, 1)
    for (const ranges of [[[9, 3]], [[-1, 5]], [[0, null]], [[0, 1e9]], [['0', '5']], [[1, 2, 3]], 'все']) {
      const body = { lessonId, watched: { [fileId]: ranges } }
      const reply = await requestApi('POST', 'course/saveWatched', { actor: student, body })
      expect(reply, JSON.stringify(ranges)).toMatchObject({ status: 400, body: { code: 'invalid' } })
    }
    const whole = { lessonId, watched: { [fileId]: [[0, 3600]] } } satisfies Parameters<typeof saveWatched>[1]
    await expect(saveWatched(student, whole)).rejects.toEqual(code('unprocessable'))
    expect((await kept(lessonId))?.watched).toBeNull()
  })

  test('is refused for locked lessons, lessons without a grant or of another tenant, and for staff', async () => {
    const fileId = await insertVideo()
    const { lessonId, second } = await learn(WATCH, videoBlock(fileId))
    const watched = { [fileId]: [[0, 9]] as [number, number][] }
    await expect(saveWatched(student, { lessonId: second, watched })).rejects.toEqual(code('forbidden'))
    const other = await addTestMember(ours, 'STUDENT', `other-${count}@study.test`)
    await expect(saveWatched(other, { lessonId, watched })).rejects.toEqual(code('not_found'))
    await expect(saveWatched(theirs.as.STUDENT, { lessonId, watched })).rejects.toEqual(code('not_found'))
    await expect(saveWatched(owner, { lessonId, watched })).rejects.toEqual(code('forbidden'))
  })

  test('completes nothing after access has ended, on the same day or later', async () => {
    const fileId = await insertVideo()
    const { lessonId, courseId } = await learn(WATCH, videoBlock(fileId))
    await open(lessonId)
    await revokeAccess(owner, { courseId, studentId: student.membershipId })
    const watched = { [fileId]: [[0, 100]] as [number, number][] }
    await expect(saveWatched(student, { lessonId, watched })).rejects.toEqual(code('not_found'))
    await progress(lessonId, { lastOpenedAt: new Date(Date.now() - 13 * 3_600_000) })
    await expect(saveWatched(student, { lessonId, watched })).rejects.toEqual(code('not_found'))
    expect((await kept(lessonId))?.completedAt).toBeNull()
  })
})

describe('other completion rules', () => {
  test('an accepted task completes the lesson; until then the page shows the state of the task', async () => {
    const { lessonId } = await learn({ mode: 'taskAccepted' }, { type: 'task', attrs: { taskId: newId() } })
    await inTenant(owner, (tx) => setTaskCount(tx, lessonId, 1))
    expect((await open(lessonId)).content?.completion.missing).toEqual({ kind: 'task', state: null })
    await expect(completeLesson(student, { lessonId })).rejects.toEqual(code('unprocessable'))
    await progress(lessonId, { homeworkState: 'returned' })
    expect((await open(lessonId)).content?.completion.missing).toEqual({ kind: 'task', state: 'returned' })
    await progress(lessonId, { homeworkState: 'accepted', homeworkAcceptedAt: new Date() })
    expect((await completeLesson(student, { lessonId })).completed).toBe(1)
  })

  test('a lesson stays completable when its required video, task or test was removed', async () => {
    for (const rule of [WATCH, { mode: 'taskAccepted' }, { mode: 'testPassed' }] as const) {
      const { lessonId } = await learn(rule)
      expect((await open(lessonId)).content?.completion).toEqual({ mode: 'manual', missing: null })
      expect((await completeLesson(student, { lessonId })).completed).toBe(1)
      expect((await reopenLesson(student, { lessonId })).completed).toBe(0)
    }
  })

  test('a video deleted from the storage is not required', async () => {
    const fileId = await insertVideo()
    const { lessonId } = await learn(WATCH, videoBlock(fileId))
    await inTenant(owner, (tx) => tx.update(file).set({ deletedAt: new Date() }).where(eq(file.id, fileId)))
    const { content } = await open(lessonId)
    expect(content?.completion.mode).toBe('manual')
    expect(content?.parts.some((part) => part.kind === 'media')).toBe(false)
  })
})

describe('a note of a lesson', () => {
  test('is saved with its version, returned with the lesson, and visible to its student only', async () => {
    const { lessonId, courseId } = await learn({ mode: 'manual' })
    expect((await open(lessonId)).content?.note).toEqual({ text: '', version: 0 })
    expect(await saveNote(student, { lessonId, version: 0, text: 'Перевірити звук' })).toMatchObject({
      version: 1,
    })
    expect(await saveNote(student, { lessonId, version: 1, text: 'Перевірити звук двічі' })).toMatchObject({
      version: 2,
    })
    expect((await open(lessonId)).content?.note).toEqual({ text: 'Перевірити звук двічі', version: 2 })
    const notes = await listLessonNotes(student, { courseId })
    expect(notes).toMatchObject([{ lesson: 'Перший', module: 'Модуль', text: 'Перевірити звук двічі' }])
    const other = await addTestMember(ours, 'STUDENT', `reader-${count}@study.test`)
    await grantAccess(owner, { courseId, studentId: other.membershipId })
    await expect(listLessonNotes(other, { courseId: newId() })).rejects.toMatchObject({ code: 'not_found' })
    expect(await listLessonNotes(other, { courseId })).toEqual([])
    expect((await openLesson(other, { lessonId })).content?.note.text).toBe('')
  })

  test('is never overwritten by another device; the same text twice is not a conflict', async () => {
    const { lessonId } = await learn({ mode: 'manual' })
    await open(lessonId)
    await saveNote(student, { lessonId, version: 0, text: 'З телефона' })
    await expect(saveNote(student, { lessonId, version: 0, text: 'З ноутбука' })).rejects.toMatchObject({
      code: 'conflict',
      details: { data: { version: 1, text: 'З телефона' } },
    })
    expect(await saveNote(student, { lessonId, version: 0, text: 'З телефона' })).toMatchObject({ version: 1 })
  })

  test('is refused for a lesson that was never opened, and for another tenant', async () => {
    const { lessonId, second } = await learn({ mode: 'manual' })
    await open(lessonId)
    const note = { version: 0, text: 'Нотатка' }
    await expect(saveNote(student, { lessonId: second, ...note })).rejects.toEqual(code('not_found'))
    await expect(saveNote(theirs.as.STUDENT, { lessonId, ...note })).rejects.toEqual(code('not_found'))
    await expect(saveNote(owner, { lessonId, ...note })).rejects.toEqual(code('forbidden'))
  })

  test('can be exported after access has ended', async () => {
    const { lessonId, courseId } = await learn({ mode: 'manual' })
    await open(lessonId)
    await saveNote(student, { lessonId, version: 0, text: 'Моє' })
    await revokeAccess(owner, { courseId, studentId: student.membershipId })
    expect(await listLessonNotes(student, { courseId })).toHaveLength(1)
  })
})

test('the lesson to resume is open', async () => {
  const { courseId, lessonId, second } = await learn({ mode: 'manual' })
  const resume = async () => (await listMyCourses(student))[0]?.resume
  expect(await resume()).toEqual({ id: lessonId, title: 'Перший' })
  await open(lessonId)
  await completeLesson(student, { lessonId })
  expect(await resume()).toEqual({ id: second, title: 'Другий' })
  await open(second)
  await completeLesson(student, { lessonId: second })
  expect(await resume()).toBeNull()
  expect((await viewCourse(student, { courseId })).completed).toBe(2)
})

test('a course shows its description and promo video to students with access', async () => {
  const { courseId } = await learn({ mode: 'manual' })
  const promo = await insertVideo()
  const set = { description: doc(words('Для тих, хто починає')), promoVideoFileId: promo }
  await inTenant(owner, (tx) => tx.update(course).set(set).where(eq(course.id, courseId)))
  const { about } = await viewCourse(student, { courseId })
  expect(about).toMatchObject({ html: '<p>Для тих, хто починає</p>', promo: { fileId: promo } })
  await inTenant(owner, (tx) => tx.update(file).set({ deletedAt: new Date() }).where(eq(file.id, promo)))
  expect((await viewCourse(student, { courseId })).about?.promo).toBeNull()
  await inTenant(owner, (tx) =>
    tx
      .update(course)
      .set({ accessEnd: new Date(0) })
      .where(eq(course.id, courseId)),
  )
  expect((await viewCourse(student, { courseId })).about).toBeNull()
})
