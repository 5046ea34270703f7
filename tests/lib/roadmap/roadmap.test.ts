import { createCanvas, loadImage } from '@napi-rs/canvas'
import { beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { LessonDoc } from '#lib/core/shared/lesson-doc.ts'
import { ROLES } from '#lib/core/shared/role.ts'
import { grantAccess } from '#lib/course/access/grants.ts'
import { completeLesson } from '#lib/course/learning/completion.ts'
import { addModule } from '#lib/course/outline/outline.ts'
import { publishCourse } from '#lib/course/publish.ts'
import { publishQuiz, setQuizHidden } from '#lib/quiz/quiz.ts'
import { drawRoadmap } from '#lib/roadmap/picture.ts'
import { getProgress } from '#lib/roadmap/progress.ts'
import { countRoadmapCall, countView, readRoadmap } from '#lib/roadmap/public.ts'
import {
  createRoadmap,
  deleteRoadmap,
  getRoadmap,
  hideRoadmap,
  publishRoadmap,
  saveRoadmap,
} from '#lib/roadmap/roadmap.ts'
import { RoadmapText } from '#lib/roadmap/schema.ts'
import { requestApi } from '../../api/api-request.ts'
import { insertFiles } from '../../setup/files.ts'
import { createCourse } from '../../setup/parsed/course.ts'
import { addLesson } from '../../setup/parsed/course-outline.ts'
import { takeTest } from '../../setup/quiz/lessons.ts'
import { addQuiz } from '../../setup/quiz/quizzes.ts'
import { addTestMember, createOtherTenant, createTestTenant, type TestTenant } from '../../setup/tenants.ts'

const code = (refused: string) => expect.objectContaining({ code: refused })
const words = (text: string): LessonDoc => ({
  type: 'doc',
  content: [{ type: 'paragraph', content: [{ type: 'text', text }] }],
})

// Functions may throw or reject: both are a refusal.
const attempt = async (action: () => Promise<unknown>) => action()

let ours: TestTenant
let theirs: TestTenant
beforeAll(async () => {
  ours = await createTestTenant()
  theirs = await createOtherTenant()
})

/** A published course of two lessons with a roadmap. */
async function drawn() {
  const owner = ours.as.OWNER
  const { courseId } = await createCourse(owner, { title: 'Шлях ведучої' })
  const { moduleId } = await addModule(owner, { courseId, title: 'Початок' })
  const { lessonId } = await addLesson(owner, { moduleId, title: 'Перший крок', blocks: words('Зміст') })
  const { lessonId: second } = await addLesson(owner, { moduleId, title: 'Другий крок', blocks: words('Зміст') })
  await publishCourse(owner, { courseId })
  const { roadmapId } = await createRoadmap(owner, { courseId })
  return { courseId, moduleId, lessonId, second, roadmapId }
}

const stop = (type: 'test', refId: string) => ({
  type,
  refId,
  title: 'Зупинка',
  description: '',
  duration: '',
  optional: false,
})

const read = (roadmapId: string, actor: Parameters<typeof readRoadmap>[1] = null) =>
  readRoadmap(ours.tenant.id, actor, { roadmapId })

describe('editing a roadmap', () => {
  test('starts with the modules of the course as stages and their lessons as stops', async () => {
    const { roadmapId, lessonId, second } = await drawn()
    const { stages, title } = await getRoadmap(ours.as.EXPERT, { roadmapId })
    expect(title).toBe('Шлях ведучої')
    expect(stages).toMatchObject([{ title: 'Початок', items: [{ refId: lessonId }, { refId: second }] }])
  })

  test('never overwrites a newer version, and accepts an identical save twice', async () => {
    const { roadmapId } = await drawn()
    const { version, ...kept } = await getRoadmap(ours.as.OWNER, { roadmapId })
    const input = { ...RoadmapText.parse(kept), roadmapId, version, title: 'Мій шлях' }
    expect(await saveRoadmap(ours.as.OWNER, input)).toEqual({ version: 2 })
    expect(await saveRoadmap(ours.as.OWNER, input)).toEqual({ version: 2 })
    await expect(saveRoadmap(ours.as.EXPERT, { ...input, title: 'Інший' })).rejects.toMatchObject({
      code: 'conflict',
      details: { data: { version: 2, title: 'Мій шлях' } },
    })
  })

  test('refuses invalid URLs, empty titles, and images of another tenant', async () => {
    const { roadmapId } = await drawn()
    const { version, ...kept } = await getRoadmap(ours.as.OWNER, { roadmapId })
    const input = { ...RoadmapText.parse(kept), roadmapId, version }
    const call = { label: 'Далі', href: 'javascript:alert(1)' }
    for (const [field, invalid] of [
      ['callToAct.href', { callToAct: call }],
      ['title', { title: ' ' }],
    ] as const) {
      const reply = await requestApi('POST', 'roadmap/save', {
        actor: ours.as.OWNER,
        body: { ...input, ...invalid },
      })
      expect(reply).toMatchObject({ status: 400, body: { fields: { [field]: [expect.any(String)] } } })
    }
    await expect(
      saveRoadmap(ours.as.OWNER, { ...input, coverFileId: '018f0000-0000-7000-8000-000000000000' }),
    ).rejects.toEqual(code('not_found'))
    const [coverFileId = ''] = await insertFiles(ours.as.OWNER, [{ name: 'Слайди.pdf', kind: 'doc', size: 1 }])
    await expect(saveRoadmap(ours.as.OWNER, { ...input, coverFileId })).rejects.toEqual(code('wrong_type'))
  })

  test('is refused without the plan, and for a deleted roadmap', async () => {
    const { roadmapId } = await drawn()
    const { version, ...text } = await getRoadmap(ours.as.OWNER, { roadmapId })
    const withoutPlan = { ...ours.as.OWNER, plans: [] }
    const input = { ...RoadmapText.parse(text), roadmapId, version }
    for (const action of [
      () => saveRoadmap(withoutPlan, input),
      () => publishRoadmap(withoutPlan, { roadmapId }),
      () => deleteRoadmap(withoutPlan, { roadmapId }),
    ])
      await expect(attempt(action)).rejects.toEqual(code('plan_inactive'))
    await expect(attempt(() => getRoadmap(ours.as.STUDENT, { roadmapId }))).rejects.toEqual(code('forbidden'))
    await deleteRoadmap(ours.as.OWNER, { roadmapId })
    await expect(deleteRoadmap(ours.as.OWNER, { roadmapId })).rejects.toEqual(code('not_found'))
  })

  test.each(ROLES)('%s', async (role) => {
    const { courseId, roadmapId } = await drawn()
    const actions = [
      () => createRoadmap(ours.as[role], { courseId }),
      () => publishRoadmap(ours.as[role], { roadmapId }),
      () => hideRoadmap(ours.as[role], { roadmapId }),
    ]
    const writes = ['OWNER', 'DIRECTOR', 'EXPERT'].includes(role)
    for (const action of actions) {
      const done = await attempt(action).then(
        () => true,
        (error: { code: string }) => error.code !== 'forbidden',
      )
      expect(done).toBe(writes)
    }
  })

  test('by another tenant is refused as not found', async () => {
    const { roadmapId } = await drawn()
    for (const action of [getRoadmap, publishRoadmap, deleteRoadmap]) {
      await expect(attempt(() => action(theirs.as.OWNER, { roadmapId }))).rejects.toEqual(code('not_found'))
    }
    await expect(readRoadmap(theirs.tenant.id, null, { roadmapId })).rejects.toEqual(code('not_found'))
  })
})

describe('viewing a roadmap', () => {
  test('of a draft is possible for course staff only', async () => {
    const { roadmapId } = await drawn()
    await expect(read(roadmapId)).rejects.toEqual(code('not_found'))
    await expect(read(roadmapId, ours.as.STUDENT)).rejects.toEqual(code('not_found'))
    await expect(read(roadmapId, theirs.as.OWNER)).rejects.toEqual(code('not_found'))
    expect((await read(roadmapId, ours.as.CURATOR)).published).toBe(false)
    await publishRoadmap(ours.as.OWNER, { roadmapId })
    expect((await read(roadmapId)).title).toBe('Шлях ведучої')
  })

  test('for students is possible for students of the school', async () => {
    const { roadmapId } = await drawn()
    const { version, ...kept } = await getRoadmap(ours.as.OWNER, { roadmapId })
    await saveRoadmap(ours.as.OWNER, { ...RoadmapText.parse(kept), roadmapId, version, visibility: 'students' })
    await publishRoadmap(ours.as.OWNER, { roadmapId })
    await expect(read(roadmapId)).rejects.toEqual(code('not_found'))
    await expect(read(roadmapId, theirs.as.STUDENT)).rejects.toEqual(code('not_found'))
    expect((await read(roadmapId, ours.as.STUDENT)).published).toBe(true)
  })

  test('shows a student their own progress and nothing of others', async () => {
    const { roadmapId, courseId, lessonId, second } = await drawn()
    const student = ours.as.STUDENT
    await publishRoadmap(ours.as.OWNER, { roadmapId })
    expect(await getProgress(student, { roadmapId })).toMatchObject({ total: 0, continueHref: null })
    await grantAccess(ours.as.OWNER, { courseId, studentId: student.membershipId })
    await completeLesson(student, { lessonId })
    const progress = await getProgress(student, { roadmapId })
    expect(progress).toMatchObject({ done: 1, total: 2, marks: { [lessonId]: 'done', [second]: 'ahead' } })
    expect(progress.continueHref).toContain(`/course/lesson/${second}`)
  })

  test('marks a stop that is a test by the student’s attempts, and leads to it', async () => {
    const { roadmapId, courseId, lessonId, second } = await drawn()
    const { OWNER, STUDENT } = ours.as
    await grantAccess(OWNER, { courseId, studentId: STUDENT.membershipId })
    const { quizId, questionIds } = await addQuiz(OWNER, courseId, ['trueFalse'])
    await publishQuiz(OWNER, { quizId })
    const { version, ...text } = RoadmapText.extend({ version: z.number() }).parse(
      await getRoadmap(OWNER, { roadmapId }),
    )
    const stages = [{ title: 'Тест', period: '', text: '', items: [stop('test', quizId)] }]
    await saveRoadmap(OWNER, { roadmapId, version, ...text, stages: [...stages, ...text.stages] })
    await publishRoadmap(OWNER, { roadmapId })
    const progress = () => getProgress(STUDENT, { roadmapId })
    expect(await progress()).toMatchObject({ total: 3, done: 0, marks: { [quizId]: 'ahead' } })
    expect((await progress()).continueHref).toContain(`/test/${quizId}`)
    await takeTest(STUDENT, quizId, questionIds[0] ?? '', false)
    expect(await progress()).toMatchObject({ done: 0, marks: { [quizId]: 'started' } })
    await takeTest(STUDENT, quizId, questionIds[0] ?? '', true)
    expect(await progress()).toMatchObject({
      done: 1,
      marks: { [quizId]: 'done', [lessonId]: 'ahead', [second]: 'ahead' },
    })
    expect((await progress()).continueHref).toContain(`/course/lesson/${lessonId}`)
    await setQuizHidden(OWNER, { quizId, hidden: true })
    await expect(getProgress(theirs.as.STUDENT, { roadmapId })).rejects.toEqual(code('not_found'))
    const stranger = await addTestMember(ours, 'STUDENT', 'stranger@roadmap.test')
    expect(await getProgress(stranger, { roadmapId })).toMatchObject({ total: 0 })
  })

  test('counts views and steps only while it is published', async () => {
    const { roadmapId } = await drawn()
    await countView(ours.tenant.id, roadmapId)
    await publishRoadmap(ours.as.OWNER, { roadmapId })
    await countView(ours.tenant.id, roadmapId)
    await countRoadmapCall(ours.tenant.id, roadmapId)
    await countView(theirs.tenant.id, roadmapId)
    expect(await getRoadmap(ours.as.OWNER, { roadmapId })).toMatchObject({ views: 1, calls: 1 })
  })
})

test('the share image has the size social networks expect, and Ukrainian text', async () => {
  const stages = [{ title: 'Ґанок' }, { title: 'Їжа' }]
  const picture = (title: string) => drawRoadmap({ title, school: 'Школа «Лекторій»', stages })
  const image = await loadImage(await picture('Ґанна Їжакевич-Щукіна'))
  expect([image.width, image.height]).toEqual([1200, 630])
  // A font without these letters would render the same box for each of them.
  const [first, other] = await Promise.all([inkOf(await picture('ґґґґ')), inkOf(await picture('їїїї'))])
  expect(first).not.toBe(other)
})

async function inkOf(png: Buffer): Promise<string> {
  const canvas = createCanvas(1200, 630)
  const drawing = canvas.getContext('2d')
  drawing.drawImage(await loadImage(png), 0, 0)
  return Buffer.from(drawing.getImageData(60, 130, 400, 120).data).toString('base64')
}
