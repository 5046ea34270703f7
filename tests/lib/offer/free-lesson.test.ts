import { afterAll, beforeAll, expect, test } from 'vitest'
import { pool } from '#lib/core/db/db.ts'
import { parseMediaPath, verifyMediaToken } from '#lib/core/files/media-url.ts'
import { ANYONE } from '#lib/core/files/url-token.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { changeLessons } from '#lib/course/outline/bulk-change.ts'
import { addModule } from '#lib/course/outline/outline.ts'
import { deleteLessons } from '#lib/course/outline/trash.ts'
import { publishCourse, unpublishCourse } from '#lib/course/publish.ts'
import { readFreeLesson } from '#lib/offer/free-lesson.ts'
import { readPublicCourse } from '#lib/offer/public-course.ts'
import { expectRefusal, instantAt, publishedCourse } from '../../setup/course/groups.ts'
import { createCourse } from '../../setup/parsed/course.ts'
import { addLesson } from '../../setup/parsed/course-outline.ts'
import { createOtherTenant, createTestTenant, type TestTenant } from '../../setup/tenants.ts'
import { uploadFile } from '../../setup/uploads.ts'

let home: TestTenant
let owner: Actor
beforeAll(async () => {
  home = await createTestTenant()
  owner = home.as.OWNER
})
afterAll(() => pool.end())

const open = (courseId: string, lessonId = '', tenantId = home.tenant.id) =>
  readFreeLesson(tenantId, { courseId, lessonId }, 'uk')

test('a free lesson is read by everyone with its text and files, and leads to the other free ones', async () => {
  const bytes = new TextEncoder().encode('Пам’ятка для всіх')
  const { id: fileId } = await uploadFile(owner, 'Пам’ятка.txt', bytes)
  const { courseId } = await createCourse(owner, { title: 'Риторика' })
  const { moduleId } = await addModule(owner, { courseId, title: 'Початок' })
  const text = { type: 'paragraph', content: [{ type: 'text', text: 'Вітаю <всіх>' }] }
  const file = { type: 'file', attrs: { fileId, name: 'Пам’ятка' } }
  const ids: string[] = []
  for (const title of ['Перший', 'Платний', 'Останній']) {
    const blocks = { type: 'doc' as const, content: [text, file] }
    ids.push((await addLesson(owner, { moduleId, title, blocks })).lessonId)
  }
  const [first = '', paid = '', last = ''] = ids
  await publishCourse(owner, { courseId })
  await changeLessons(owner, { courseId, lessonIds: [first, last], change: { freePreview: true } })
  const view = await open(courseId, first)
  expect(view).toMatchObject({
    course: { title: 'Риторика' },
    lesson: { title: 'Перший' },
    previous: null,
    next: { id: last, title: 'Останній' },
    materials: [{ fileId }],
  })
  expect(view.parts[0]).toMatchObject({ kind: 'html', html: expect.stringContaining('Вітаю &lt;всіх&gt;') })
  const address = parseMediaPath(new URL(view.materials[0]?.download ?? '', 'http://localhost').pathname)
  expect(address && verifyMediaToken(address, [ANYONE])).not.toBeNull()
  await expectRefusal(open(courseId, paid), 'not_found')
  const { modules } = await readPublicCourse(home.tenant.id, courseId)
  expect(modules.flatMap(({ lessons }) => lessons)).toEqual([
    { id: first, title: 'Перший', isFree: true },
    { id: paid, title: 'Платний', isFree: false },
    { id: last, title: 'Останній', isFree: true },
  ])
})

test('rules that open a lesson to students later do not close a free one', async () => {
  const { courseId, lessonIds } = await publishedCourse(owner)
  const availability = { mode: 'date' as const, at: instantAt(86_400_000) }
  await changeLessons(owner, { courseId, lessonIds, change: { freePreview: true, availability } })
  expect((await open(courseId, lessonIds[0])).lesson.title).toBe('Урок 1')
})

test('a hidden or deleted lesson, one of a draft course, of another course or of another school is not found', async () => {
  const { courseId, lessonIds } = await publishedCourse(owner)
  const [hidden = '', deleted = ''] = lessonIds
  await changeLessons(owner, { courseId, lessonIds, change: { freePreview: true } })
  const another = await publishedCourse(owner)
  await expectRefusal(open(another.courseId, hidden), 'not_found')
  await expectRefusal(open(courseId, hidden, (await createOtherTenant()).tenant.id), 'not_found')
  await changeLessons(owner, { courseId, lessonIds: [hidden], change: { hidden: true } })
  await deleteLessons(owner, { courseId, lessonIds: [deleted] })
  for (const lessonId of lessonIds) await expectRefusal(open(courseId, lessonId), 'not_found')
  await changeLessons(owner, {
    courseId: another.courseId,
    lessonIds: another.lessonIds,
    change: { freePreview: true },
  })
  expect((await open(another.courseId, another.lessonIds[0])).lesson.title).toBe('Урок 1')
  await unpublishCourse(owner, { courseId: another.courseId })
  await expectRefusal(open(another.courseId, another.lessonIds[0]), 'not_found')
})
