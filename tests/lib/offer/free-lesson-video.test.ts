import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inTenant, pool } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { fileEndpoints, store } from '#lib/core/files/files.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { changeLessons } from '#lib/course/outline/bulk-change.ts'
import { addModule } from '#lib/course/outline/outline.ts'
import { publishCourse } from '#lib/course/publish.ts'
import { readFreeLesson } from '#lib/offer/free-lesson.ts'
import { file, video } from '#lib/storage/table.ts'
import { openPlayback } from '#lib/storage/video/playback.ts'
import { expectRefusal } from '../../setup/course/groups.ts'
import { type EndpointServer, startEndpointServer } from '../../setup/meeting/endpoint-server.ts'
import { createCourse } from '../../setup/parsed/course.ts'
import { addLesson } from '../../setup/parsed/course-outline.ts'
import { createTestTenant, type TestTenant } from '../../setup/tenants.ts'

const bytes = randomBytes(20_000)
let home: TestTenant
let server: EndpointServer
let courseId: string
let free: { lessonId: string; fileId: string }
let paid: { lessonId: string; fileId: string }

beforeAll(async () => {
  home = await createTestTenant()
  const owner = home.as.OWNER
  // No login session is valid: visitors have none.
  server = await startEndpointServer(Object.fromEntries(fileEndpoints(async () => false)))
  courseId = (await createCourse(owner, { title: 'Риторика' })).courseId
  const { moduleId } = await addModule(owner, { courseId, title: 'Початок' })
  free = await lessonWithVideo(owner, moduleId)
  paid = await lessonWithVideo(owner, moduleId)
  await publishCourse(owner, { courseId })
  await changeLessons(owner, { courseId, lessonIds: [free.lessonId], change: { freePreview: true } })
})
afterAll(async () => {
  await server.httpServer.drain(50)
  await pool.end()
})

async function lessonWithVideo(owner: Actor, moduleId: string) {
  const fileId = newId()
  const { tenantId, membershipId: ownerId } = owner
  await store.put(`${tenantId}/${fileId}`, bytes)
  const stored = { tenantId, id: fileId, kind: 'video', name: 'Вступ.mp4', mime: 'video/mp4', ownerId } as const
  await inTenant(owner, async (tx) => {
    await tx.insert(file).values({ ...stored, size: bytes.length })
    await tx.insert(video).values({ tenantId, fileId, state: 'finished', progress: 100, duration: 60 })
  })
  const blocks = { type: 'doc' as const, content: [{ type: 'video', attrs: { fileId } }] }
  return { ...(await addLesson(owner, { moduleId, title: 'Урок', blocks })), fileId }
}

async function videoOf({ lessonId }: { lessonId: string }): Promise<string> {
  const { parts } = await readFreeLesson(home.tenant.id, { courseId, lessonId }, 'uk')
  const media = parts.find((part) => part.kind === 'media')
  return media?.kind === 'media' ? (media.view.sources[0]?.src ?? '') : ''
}

const request = (path: string, range?: string) =>
  server.request(path, { token: null, ...(range ? { headers: { range } } : {}) })

test('a visitor without an account plays the video of a free lesson, in whole and in parts', async () => {
  const source = await videoOf(free)
  const whole = await request(source)
  expect([whole.status, whole.headers['content-type'], whole.body.equals(bytes)]).toEqual([200, 'video/mp4', true])
  const part = await request(source, 'bytes=100-199')
  expect([part.status, part.body.equals(bytes.subarray(100, 200))]).toEqual([206, true])
})

test('the video of another lesson is refused: by its page, by the address of a student, and by that of a free video', async () => {
  await expectRefusal(videoOf(paid), 'not_found')
  const ofStudent = (await openPlayback(home.as.STUDENT, paid.fileId)).sources[0]?.src ?? ''
  expect(ofStudent).toContain(paid.fileId)
  expect((await request(ofStudent)).status).toBe(404)
  const source = await videoOf(free)
  expect((await request(source.replace(free.fileId, paid.fileId))).status).toBe(404)
})
