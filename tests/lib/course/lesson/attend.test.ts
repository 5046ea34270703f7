import { asc, eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { inTenant } from '#lib/core/db/db.ts'
import { liveEvent } from '#lib/core/live/table.ts'
import { publishLesson } from '#lib/course/lesson/lesson.ts'
import { attendLesson } from '#lib/course/lesson/presence.ts'
import { saveLesson } from '#lib/course/lesson/save.ts'
import { courseChannels } from '#lib/course/live.ts'
import { addModule } from '#lib/course/outline/outline.ts'
import { createCourse } from '../../../setup/parsed/course.ts'
import { addLesson } from '../../../setup/parsed/course-outline.ts'
import { createOtherTenant, createTestTenant, type TestTenant } from '../../../setup/tenants.ts'

let ours: TestTenant
let theirs: TestTenant
let lessonId = ''
beforeAll(async () => {
  ours = await createTestTenant()
  theirs = await createOtherTenant()
  const { courseId } = await createCourse(ours.as.OWNER, { title: 'Курс' })
  const { moduleId } = await addModule(ours.as.OWNER, { courseId, title: 'Модуль' })
  lessonId = (await addLesson(ours.as.OWNER, { moduleId, title: 'Урок' })).lessonId
})

const heard = () =>
  inTenant(ours.as.OWNER, (tx) =>
    tx
      .select({ payload: liveEvent.payload })
      .from(liveEvent)
      .where(eq(liveEvent.channel, `lesson:${lessonId}`))
      .orderBy(asc(liveEvent.id)),
  ).then((rows) => rows.map(({ payload }) => payload))

describe('authors of one lesson', () => {
  test('see who joins and leaves, and receive saved changes', async () => {
    const { OWNER, EXPERT } = ours.as
    await attendLesson(OWNER, { lessonId, tab: 'tab-one', announce: 'come' })
    await saveLesson(EXPERT, { lessonId, version: 1, title: 'Сам-один' })
    await saveLesson(EXPERT, { lessonId, version: 2, title: 'Удвох', tab: 'tab-two' })
    await publishLesson(EXPERT, { lessonId })
    await attendLesson(OWNER, { lessonId, tab: 'tab-one', announce: 'go' })
    const person = { tab: 'tab-one', memberId: OWNER.membershipId, name: 'owner Тест' }
    expect(await heard()).toEqual([
      { kind: 'come', ...person },
      { kind: 'saved', version: 3, tab: 'tab-two' },
      { kind: 'published', version: 3 },
      { kind: 'go', ...person },
    ])
  })

  test.each(['CURATOR', 'MEMBER', 'STUDENT'] as const)('are authors: a %s neither sends nor receives', async (role) => {
    const actor = ours.as[role]
    await expect(attendLesson(actor, { lessonId, tab: 'tab-x', announce: 'come' })).rejects.toMatchObject({
      code: 'forbidden',
    })
    expect(await courseChannels.lesson?.canSubscribe(actor, [lessonId])).toMatchObject({ allow: false })
  })

  test('belong to the tenant', async () => {
    const stranger = theirs.as.OWNER
    const notFound = expect.objectContaining({ code: 'not_found' })
    await expect(attendLesson(stranger, { lessonId, tab: 'tab-x', announce: 'come' })).rejects.toEqual(notFound)
    await expect(courseChannels.lesson?.canSubscribe(stranger, [lessonId])).rejects.toEqual(notFound)
    await expect(async () => courseChannels.lesson?.canSubscribe(stranger, ['nonsense'])).rejects.toEqual(notFound)
  })
})
