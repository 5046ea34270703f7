import { asc, eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { inTenant } from '#lib/core/db/db.ts'
import { liveEvent } from '#lib/core/live/table.ts'
import * as door from '#lib/course/course.ts'
import { courseChannels } from '#lib/course/live.ts'
import { neighbour, type School, school } from '../../../setup/people.ts'

let ours: School
let theirs: School
let lessonId = ''
beforeAll(async () => {
  ours = await school()
  theirs = await neighbour()
  const { courseId } = await door.createCourse(ours.as.OWNER, { title: 'Курс' })
  const { moduleId } = await door.addModule(ours.as.OWNER, { courseId, title: 'Модуль' })
  lessonId = (await door.addLesson(ours.as.OWNER, { moduleId, title: 'Урок' })).lessonId
})

const heard = () =>
  inTenant(ours.as.OWNER, (tx) =>
    tx
      .select({ payload: liveEvent.payload })
      .from(liveEvent)
      .where(eq(liveEvent.channel, `lesson:${lessonId}`))
      .orderBy(asc(liveEvent.id)),
  ).then((rows) => rows.map(({ payload }) => payload))

describe('those who write one lesson', () => {
  test('hear who comes and goes, and what is saved while somebody listens', async () => {
    const { OWNER, EXPERT } = ours.as
    await door.attendLesson(OWNER, { lessonId, tab: 'tab-one', sign: 'come' })
    await door.saveLesson(EXPERT, { lessonId, version: 1, title: 'Сам-один' })
    await door.saveLesson(EXPERT, { lessonId, version: 2, title: 'Удвох', tab: 'tab-two' })
    await door.publishLesson(EXPERT, { lessonId })
    await door.attendLesson(OWNER, { lessonId, tab: 'tab-one', sign: 'go' })
    const person = { tab: 'tab-one', memberId: OWNER.membershipId, name: 'owner Тест' }
    expect(await heard()).toEqual([
      { kind: 'come', ...person },
      { kind: 'saved', version: 3, tab: 'tab-two' },
      { kind: 'published', version: 3 },
      { kind: 'go', ...person },
    ])
  })

  test.each(['CURATOR', 'MEMBER', 'STUDENT'] as const)('are authors: a %s neither speaks nor hears', async (role) => {
    const actor = ours.as[role]
    await expect(door.attendLesson(actor, { lessonId, tab: 'tab-x', sign: 'come' })).rejects.toMatchObject({
      code: 'forbidden',
    })
    expect(await courseChannels.lesson?.maySubscribe(actor, [lessonId])).toMatchObject({ allow: false })
  })

  test('belong to the school', async () => {
    const stranger = theirs.as.OWNER
    const notFound = expect.objectContaining({ code: 'not_found' })
    await expect(door.attendLesson(stranger, { lessonId, tab: 'tab-x', sign: 'come' })).rejects.toEqual(notFound)
    await expect(courseChannels.lesson?.maySubscribe(stranger, [lessonId])).rejects.toEqual(notFound)
    await expect(async () => courseChannels.lesson?.maySubscribe(stranger, ['nonsense'])).rejects.toEqual(notFound)
  })
})
