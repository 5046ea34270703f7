import { beforeAll, expect, test } from 'vitest'
import { addModule } from '#lib/course/outline/outline.ts'
import { createCourse } from '../../setup/parsed/course.ts'
import { addLesson } from '../../setup/parsed/course-outline.ts'
import { createTestTenant, type TestTenant } from '../../setup/tenants.ts'
import { makeChaos, seeded } from './chaos.ts'
import { paragraph } from './chaos-tokens.ts'

/*
 * No sequence of failures of two authors loses typed text. A seed determines each run; `npm test` runs the first ones,
 * `npm run soak` all of them (CHAOS_RUNS).
 */
const RUNS = Number(process.env.CHAOS_RUNS ?? 24)
const STEPS = 70

let ours: TestTenant
let moduleId = ''
beforeAll(async () => {
  ours = await createTestTenant()
  const { courseId } = await createCourse(ours.as.OWNER, { title: 'Курс' })
  moduleId = (await addModule(ours.as.OWNER, { courseId, title: 'Модуль' })).moduleId
})

async function run(seed: number, forgetful = false) {
  const pick = seeded(seed)
  const content = Array.from({ length: 2 + pick(5) }, (_, index) => paragraph(`Абзац ${index}`))
  const { lessonId } = await addLesson(ours.as.OWNER, {
    moduleId,
    title: 'Урок',
    blocks: { type: 'doc', content },
  })
  const chaos = await makeChaos([ours.as.OWNER, ours.as.EXPERT], lessonId, pick, forgetful)
  for (let step = 0; step < STEPS; step += 1) await chaos.step()
  await chaos.settle()
  await chaos.calm()
  await chaos.weighsRight()
  return { ...(await chaos.whereabouts()), typed: chaos.all.size }
}

test.each(Array.from({ length: RUNS }, (_, index) => index + 1))('loses nothing with seed %i', async (seed) => {
  expect(await run(seed)).toMatchObject({ lost: [], unasked: [] })
})

test('detects a device that loses stored data', async () => {
  const lost: string[] = []
  for (let seed = 1; seed <= 6; seed += 1) lost.push(...(await run(seed, true)).lost)
  expect(lost).not.toEqual([])
})
