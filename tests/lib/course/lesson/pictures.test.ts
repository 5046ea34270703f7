import { eq } from 'drizzle-orm'
import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { inTenant } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { LessonDoc } from '#lib/core/shared/lesson-doc.ts'
import { grantAccess } from '#lib/course/access/grants.ts'
import { getCourse } from '#lib/course/course.ts'
import { listMyCourses } from '#lib/course/learning/my-courses.ts'
import { openLesson } from '#lib/course/learning/open-lesson.ts'
import { getLesson, publishLesson } from '#lib/course/lesson/lesson.ts'
import { renderLesson } from '#lib/course/lesson/render.ts'
import { saveLesson } from '#lib/course/lesson/save.ts'
import { renameLesson } from '#lib/course/outline/bulk-change.ts'
import { addModule } from '#lib/course/outline/outline.ts'
import { deleteLesson, deleteModule, restoreLesson, restoreModule } from '#lib/course/outline/trash.ts'
import { publishCourse } from '#lib/course/publish.ts'
import { updateCourse } from '#lib/course/settings.ts'
import { listUses } from '#lib/storage/file-use.ts'
import { file } from '#lib/storage/table.ts'
import { examineFile } from '#lib/storage/upload/examine.ts'
import { storeImage } from '#lib/storage/video/image.ts'
import { createCourse, listCourses } from '../../../setup/parsed/course.ts'
import { addLesson } from '../../../setup/parsed/course-outline.ts'
import { createOtherTenant, createTestTenant, type TestTenant } from '../../../setup/tenants.ts'
import { uploadFile } from '../../../setup/uploads.ts'

let ours: TestTenant
let theirs: TestTenant
let courseId: string
let moduleId: string
beforeAll(async () => {
  ours = await createTestTenant()
  theirs = await createOtherTenant()
  const { OWNER, STUDENT } = ours.as
  courseId = (await createCourse(OWNER, { title: 'Курс' })).courseId
  moduleId = (await addModule(OWNER, { courseId, title: 'Модуль' })).moduleId
  await grantAccess(OWNER, { courseId, studentId: STUDENT.membershipId })
})

async function picture(school: TestTenant = ours, width = 700): Promise<string> {
  const bytes = await sharp({ create: { width, height: 300, channels: 3, background: '#1f6feb' } })
    .png()
    .toBuffer()
  return (await storeImage(school.as.OWNER, { name: 'a.png', bytes })).fileId
}

const docWithImages = (...ids: string[]): LessonDoc => ({
  type: 'doc',
  content: [
    { type: 'paragraph', content: [{ type: 'text', text: 'Слова' }] },
    ...ids.map((id) => ({ type: 'image', attrs: { src: `/v1/file/${id}`, alt: 'Схема "А"' } })),
  ],
})

async function usesOf(fileId: string): Promise<string[]> {
  const uses = await listUses(ours.as.OWNER, { fileId })
  return uses.map(({ kind, title }) => `${kind} ${title}`)
}

describe('images of a lesson', () => {
  test('are in use from the draft to the last reader, and no longer once the lesson is deleted', async () => {
    const { OWNER } = ours.as
    const [first, second] = [await picture(), await picture()]
    const { lessonId } = await addLesson(OWNER, { moduleId, title: 'Урок', blocks: docWithImages(first) })
    expect(await usesOf(first)).toEqual(['lesson Урок'])
    await publishLesson(OWNER, { lessonId })
    const { version } = await getLesson(OWNER, { lessonId })
    await saveLesson(OWNER, {
      lessonId,
      version,
      title: 'Інша назва',
      change: { at: 0, remove: docWithImages(first).content.length, insert: docWithImages(second).content },
    })
    // Students still read the published text with the first one.
    expect([await usesOf(first), await usesOf(second)]).toEqual([['lesson Інша назва'], ['lesson Інша назва']])
    await publishLesson(OWNER, { lessonId })
    expect([await usesOf(first), await usesOf(second)]).toEqual([[], ['lesson Інша назва']])
    await deleteModule(OWNER, { moduleId })
    expect(await usesOf(second)).toEqual([])
    await restoreModule(OWNER, { moduleId })
    await deleteLesson(OWNER, { lessonId })
    expect(await usesOf(second)).toEqual([])
    await restoreLesson(OWNER, { lessonId })
    await renameLesson(OWNER, { lessonId, title: 'Третя назва' })
    expect(await usesOf(second)).toEqual(['lesson Третя назва'])
  })

  test('are served to students in several widths with URLs of their own session, and to staff with theirs', async () => {
    const { OWNER, STUDENT } = ours.as
    const fileId = await picture()
    await examineFile({ tenantId: ours.tenant.id, fileId })
    const blocks = docWithImages(fileId, await picture(theirs))
    const { lessonId } = await addLesson(OWNER, { moduleId, title: 'Урок', blocks })
    await publishCourse(OWNER, { courseId })
    const html = (await read(STUDENT, lessonId)) ?? ''
    expect(html).not.toContain('/v1/file/')
    expect(html.match(/<img/g)).toHaveLength(1)
    const base = `/v1/media/${ours.tenant.id}/${fileId}/[\\w.-]+/image`
    expect(html).toMatch(
      new RegExp(
        `<picture><source type="image/avif" srcset="${base}/320.avif 320w, ${base}/700.avif 700w" sizes="[^"]+" />` +
          `<source type="image/webp" srcset="${base}/320.webp 320w, ${base}/700.webp 700w" sizes="[^"]+" />` +
          `<img src="${base}/700.webp" alt="Схема &quot;А&quot;" width="700" height="300" loading="lazy" decoding="async" /></picture>`,
      ),
    )
    expect(renderLesson(blocks).match(/src="\/v1\/file\//g)).toHaveLength(2)
    await inTenant(OWNER, (tx) => tx.update(file).set({ deletedAt: new Date() }).where(eq(file.id, fileId)))
    expect(await read(STUDENT, lessonId)).not.toContain('<img')
  })
})

async function read(student: Actor, lessonId: string): Promise<string | undefined> {
  const { content } = await openLesson(student, { lessonId })
  return content?.parts.map((part) => (part.kind === 'html' ? part.html : '')).join('')
}

describe('a cover', () => {
  test('is used by its course, and served to staff and students with separate URLs', async () => {
    const { OWNER, STUDENT } = ours.as
    const [cover, inside] = [await picture(), await picture()]
    await updateCourse(OWNER, { courseId, coverFileId: cover, description: docWithImages(inside) })
    expect([await usesOf(cover), await usesOf(inside)]).toEqual([['course Курс'], ['course Курс']])
    const [mine] = await listMyCourses(STUDENT)
    const [card] = (await listCourses(OWNER, {})).items
    const { cover: servedCover } = await getCourse(OWNER, { courseId })
    for (const shown of [mine?.cover, card?.cover, servedCover]) {
      expect(shown).toMatchObject({
        src: expect.stringMatching(new RegExp(`/${cover}/.+/original\\.webp$`)),
        width: 700,
      })
    }
    expect(mine?.cover?.src).not.toBe(card?.cover?.src)
    await updateCourse(OWNER, { courseId, coverFileId: null })
    expect(await usesOf(cover)).toEqual([])
    expect((await getCourse(OWNER, { courseId })).cover).toBeNull()
  })

  test('is an image of this school only', async () => {
    const { OWNER } = ours.as
    const text = await uploadFile(OWNER, 'a.txt', new Uint8Array([97]))
    await expect(updateCourse(OWNER, { courseId, coverFileId: text.id })).rejects.toMatchObject({
      code: 'wrong_type',
    })
    const foreign = await picture(theirs)
    await expect(updateCourse(OWNER, { courseId, coverFileId: foreign })).rejects.toMatchObject({
      code: 'not_found',
    })
  })
})
