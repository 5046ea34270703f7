import { beforeAll, describe, expect, test } from 'vitest'
import { inTenant } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { LessonDoc } from '#lib/core/shared/lesson-doc.ts'
import { grantAccess } from '#lib/course/access/grants.ts'
import { archiveCourses, duplicateCourses, restoreCourses, undoArchive } from '#lib/course/archive.ts'
import { getCourse } from '#lib/course/course.ts'
import { openLesson } from '#lib/course/learning/open-lesson.ts'
import { setTaskCount } from '#lib/course/learning/progress.ts'
import { listContentIssues } from '#lib/course/lesson/content-issues.ts'
import { areHeadingsOrdered } from '#lib/course/lesson/content-rules.ts'
import { addModule } from '#lib/course/outline/outline.ts'
import { archiveCourse, getCourseReadiness, publishCourse, unpublishCourse } from '#lib/course/publish.ts'
import { updateCourse } from '#lib/course/settings.ts'
import { listStaff, setStaff } from '#lib/course/staff.ts'
import { copyTasks } from '#lib/homework/task/copy.ts'
import { copyTests } from '#lib/quiz/copy-quizzes.ts'
import { insertFiles } from '../../setup/files.ts'
import { createCourse, listCourses } from '../../setup/parsed/course.ts'
import { listCourseStudents } from '../../setup/parsed/course-access.ts'
import { addLesson, duplicateCourse } from '../../setup/parsed/course-outline.ts'
import { addTestMember, createOtherTenant, createTestTenant, type TestTenant } from '../../setup/tenants.ts'

const code = (refused: string) => expect.objectContaining({ code: refused })
const text = (words: string): LessonDoc => ({
  type: 'doc',
  content: [{ type: 'paragraph', content: [{ type: 'text', text: words }] }],
})

let ours: TestTenant
let theirs: TestTenant
beforeAll(async () => {
  ours = await createTestTenant()
  theirs = await createOtherTenant()
})

async function draft(owner: Actor, title = 'Голос') {
  const { courseId } = await createCourse(owner, { title })
  const { moduleId } = await addModule(owner, { courseId, title: 'Модуль' })
  const { lessonId } = await addLesson(owner, { moduleId, title: 'Урок', blocks: text('Зміст') })
  return { courseId, moduleId, lessonId }
}

describe('settings', () => {
  test('saves all settings of a course, and changes only the given ones', async () => {
    const { courseId } = await draft(ours.as.EXPERT)
    const values = {
      category: 'Сцена',
      tags: ['голос', 'ефір'],
      startFrom: 'opening' as const,
      progression: 'drip' as const,
      accessStart: '2026-10-25T00:30:00.000Z',
      accessEnd: '2027-03-28T01:00:00.000Z',
      seoTitle: 'Голос для ефіру',
      seoDescription: 'Шість тижнів',
      estimatedMinutes: 600,
      homeworkSlaHours: 48,
      description: text('Докладно'),
    }
    await updateCourse(ours.as.EXPERT, { courseId, ...values })
    await updateCourse(ours.as.EXPERT, { courseId, shortDescription: 'Коротко' })
    const view = await getCourse(ours.as.OWNER, { courseId })
    expect(view).toMatchObject({
      ...values,
      shortDescription: 'Коротко',
      accessStart: new Date(values.accessStart),
      accessEnd: new Date(values.accessEnd),
    })
  })

  test('refuses to overwrite settings that have changed in the meantime', async () => {
    const { courseId } = await draft(ours.as.EXPERT)
    const { version } = await getCourse(ours.as.EXPERT, { courseId })
    await updateCourse(ours.as.EXPERT, { courseId, version, title: 'Перша' })
    const late = updateCourse(ours.as.OWNER, { courseId, version, title: 'Друга' })
    await expect(late).rejects.toMatchObject({ code: 'conflict', details: { data: { version: version + 1 } } })
    expect((await getCourse(ours.as.OWNER, { courseId })).title).toBe('Перша')
  })

  test('refuses a course that closes before it opens, also when only one end is given', async () => {
    const { courseId } = await draft(ours.as.EXPERT)
    await updateCourse(ours.as.EXPERT, { courseId, accessStart: '2026-12-01T00:00:00Z' })
    const backwards = updateCourse(ours.as.EXPERT, { courseId, accessEnd: '2026-12-01T00:00:00Z' })
    await expect(backwards).rejects.toEqual(code('invalid'))
    expect((await getCourse(ours.as.EXPERT, { courseId })).accessEnd).toBeNull()
  })

  test('refuses a cover that is not an image and files of another tenant', async () => {
    const { courseId } = await draft(ours.as.EXPERT)
    const [video = ''] = await insertFiles(ours.as.OWNER, [{ name: 'video.mp4', kind: 'video', mime: 'video/mp4' }])
    const [foreign = ''] = await insertFiles(theirs.as.OWNER, [{ name: 'video.mp4', kind: 'video', mime: 'video/mp4' }])
    const set = (more: object) => updateCourse(ours.as.EXPERT, { courseId, ...more })
    await expect(set({ coverFileId: video })).rejects.toEqual(code('wrong_type'))
    await expect(set({ promoVideoFileId: foreign })).rejects.toEqual(code('not_found'))
    await set({ promoVideoFileId: video })
    expect((await getCourse(ours.as.EXPERT, { courseId })).promoVideoFileId).toBe(video)
  })

  test.each(['CURATOR', 'PRESENTER', 'STUDENT'] as const)('does not let a %s change them', async (role) => {
    const { courseId } = await draft(ours.as.EXPERT)
    await expect(updateCourse(ours.as[role], { courseId, title: 'Ні' })).rejects.toEqual(code('forbidden'))
    await expect(setStaff(ours.as[role], { courseId, staff: [] })).rejects.toEqual(code('forbidden'))
    await expect(archiveCourses(ours.as[role], { courseIds: [courseId] })).rejects.toEqual(code('forbidden'))
  })
})

describe('staff', () => {
  test('names curators and experts of a course; a curator then sees its students', async () => {
    const { courseId } = await draft(ours.as.EXPERT)
    const curator = await addTestMember(ours, 'CURATOR', 'second-curator@school.test')
    await expect(listCourseStudents(curator, { courseId })).rejects.toEqual(code('forbidden'))
    const staff = [
      { memberId: curator.membershipId, role: 'curator' as const },
      { memberId: ours.as.EXPERT.membershipId, role: 'expert' as const },
    ]
    expect(await setStaff(ours.as.OWNER, { courseId, staff: [...staff, ...staff] })).toEqual({ people: 2 })
    expect((await listCourseStudents(curator, { courseId })).items).toEqual([])
    const named = (await listStaff(ours.as.OWNER, { courseId })).filter(({ assignedRoles }) => assignedRoles.length > 0)
    expect(named.map(({ memberId, assignedRoles }) => [memberId, assignedRoles]).sort()).toEqual(
      staff.map(({ memberId, role }) => [memberId, [role]]).sort(),
    )
    await setStaff(ours.as.OWNER, { courseId, staff: [] })
    await expect(listCourseStudents(curator, { courseId })).rejects.toEqual(code('forbidden'))
  })

  test('starts with the author, also in a copy', async () => {
    const { courseId } = await draft(ours.as.EXPERT)
    const named = async (id: string) =>
      (await listStaff(ours.as.OWNER, { courseId: id })).flatMap(({ memberId, assignedRoles }) =>
        assignedRoles.map((role) => [memberId, role]),
      )
    const author = [[ours.as.EXPERT.membershipId, 'expert']]
    expect(await named(courseId)).toEqual(author)
    const { courseId: copy } = await duplicateCourse(ours.as.EXPERT, { courseId }, { copyTasks, copyTests })
    expect(await named(copy)).toEqual(author)
  })

  test('advises to name a curator where tasks are required', async () => {
    const { courseId, lessonId } = await draft(ours.as.EXPERT)
    const advised = async () =>
      (await getCourseReadiness(ours.as.EXPERT, { courseId })).checks.find(({ key }) => key === 'reviewer')
    expect(await advised()).toMatchObject({ passed: true })
    await inTenant(ours.as.EXPERT, (tx) => setTaskCount(tx, lessonId, 1))
    expect(await advised()).toMatchObject({ passed: false, blocks: false })
    await publishCourse(ours.as.EXPERT, { courseId })
    expect(await advised()).toMatchObject({ passed: false })
    const staff = [{ memberId: ours.as.CURATOR.membershipId, role: 'curator' as const }]
    await setStaff(ours.as.OWNER, { courseId, staff })
    expect(await advised()).toMatchObject({ passed: true })
  })

  test('refuses members without the role, students, and members of another tenant', async () => {
    const { courseId } = await draft(ours.as.EXPERT)
    for (const [actor, role] of [
      [ours.as.CURATOR, 'expert'],
      [ours.as.PRESENTER, 'curator'],
      [ours.as.STUDENT, 'curator'],
      [theirs.as.CURATOR, 'curator'],
    ] as const) {
      const staff = [{ memberId: actor.membershipId, role }]
      await expect(setStaff(ours.as.OWNER, { courseId, staff })).rejects.toEqual(code('unprocessable'))
    }
    await expect(listStaff(theirs.as.OWNER, { courseId })).rejects.toEqual(code('not_found'))
  })
})

describe('several courses at once', () => {
  test('archives them and undoes the archiving exactly', async () => {
    const draftId = await draft(ours.as.EXPERT)
    const two = await draft(ours.as.EXPERT)
    await publishCourse(ours.as.EXPERT, { courseId: draftId.courseId })
    const courseIds = [draftId.courseId, two.courseId]
    const went = await archiveCourses(ours.as.EXPERT, { courseIds })
    expect(went).toEqual({ published: [draftId.courseId], drafts: [two.courseId] })
    expect(await archiveCourses(ours.as.EXPERT, { courseIds })).toEqual({ published: [], drafts: [] })
    expect(await undoArchive(ours.as.EXPERT, went)).toEqual({ restored: 2 })
    const status = async (courseId: string) => (await getCourse(ours.as.OWNER, { courseId })).status
    expect([await status(draftId.courseId), await status(two.courseId)]).toEqual(['published', 'draft'])
    expect(await undoArchive(ours.as.EXPERT, went)).toEqual({ restored: 0 })
  })

  test('does not make a course public by an undo that was never published', async () => {
    const { courseId } = await draft(ours.as.EXPERT)
    await archiveCourses(ours.as.EXPERT, { courseIds: [courseId] })
    expect(await undoArchive(ours.as.EXPERT, { drafts: [], published: [courseId] })).toEqual({ restored: 0 })
    expect(await restoreCourses(ours.as.EXPERT, { courseIds: [courseId] })).toEqual({ restored: 1 })
  })

  test('copies them, all or none', async () => {
    const draftId = await draft(ours.as.EXPERT, 'Копійований')
    const two = await draft(ours.as.EXPERT, 'Копійований')
    const { courseId: foreign } = await draft(theirs.as.EXPERT)
    const both = [draftId.courseId, two.courseId]
    const copies = async () => (await listCourses(ours.as.OWNER, { q: 'Копійований' })).items.length
    expect(await duplicateCourses(ours.as.EXPERT, { courseIds: [...both, ...both] }, { copyTasks, copyTests })).toEqual(
      {
        copies: 2,
      },
    )
    expect(await copies()).toBe(4)
    const lost = duplicateCourses(ours.as.EXPERT, { courseIds: [...both, foreign] }, { copyTasks, copyTests })
    await expect(lost).rejects.toEqual(code('not_found'))
    expect(await copies()).toBe(4)
  })

  test('changes none when one belongs to another tenant', async () => {
    const { courseId } = await draft(ours.as.EXPERT)
    const { courseId: foreign } = await draft(theirs.as.EXPERT)
    const both = { courseIds: [courseId, foreign] }
    await expect(archiveCourses(ours.as.EXPERT, both)).rejects.toEqual(code('not_found'))
    expect((await getCourse(ours.as.OWNER, { courseId })).status).toBe('draft')
  })
})

describe('an archived course', () => {
  test('keeps students with access and accepts no new ones', async () => {
    const { courseId, lessonId } = await draft(ours.as.EXPERT)
    await publishCourse(ours.as.EXPERT, { courseId })
    await grantAccess(ours.as.EXPERT, { courseId, studentId: ours.as.STUDENT.membershipId })
    await expect(unpublishCourse(ours.as.EXPERT, { courseId })).rejects.toEqual(code('unprocessable'))
    await archiveCourse(ours.as.EXPERT, { courseId })
    expect((await openLesson(ours.as.STUDENT, { lessonId })).lesson.title).toBe('Урок')
    const late = await addTestMember(ours, 'STUDENT', 'late@school.test')
    const grant = grantAccess(ours.as.EXPERT, { courseId, studentId: late.membershipId })
    await expect(grant).rejects.toEqual(code('unprocessable'))
    await expect(publishCourse(ours.as.EXPERT, { courseId })).rejects.toEqual(code('unprocessable'))
  })
})

describe('advice', () => {
  test.each([
    [[], true],
    [[2, 3, 3, 2, 3, 4], true],
    [[3], false],
    [[2, 4], false],
    [[2, 3, 4, 2, 4], false],
  ] as const)('headings %j follow each other: %s', (levels, follows) => {
    expect(areHeadingsOrdered(levels)).toBe(follows)
  })

  test('lists lessons with images without alternative text and headings that skip a level', async () => {
    const { courseId, moduleId } = await draft(ours.as.EXPERT)
    const picture = (alt: string | null) => ({
      type: 'image',
      attrs: { src: '/v1/file/0198c1a2-0000-7000-8000-000000000000', alt },
    })
    const heading = { type: 'heading', attrs: { level: 3 }, content: [{ type: 'text', text: 'Звук' }] }
    const content = [heading, picture(null), picture(' '), picture('Мікрофон')]
    await addLesson(ours.as.EXPERT, { moduleId, title: 'Німий', blocks: { type: 'doc', content } })
    expect(await listContentIssues(ours.as.CURATOR, { courseId })).toEqual([
      expect.objectContaining({ title: 'Німий', imagesWithoutAlt: 2, hasUnorderedHeadings: true, emptyTestCount: 0 }),
    ])
    const { checks } = await getCourseReadiness(ours.as.EXPERT, { courseId })
    expect(checks.find(({ key }) => key === 'accessible')).toMatchObject({ passed: false, blocks: false })
    expect(checks.find(({ key }) => key === 'access')).toMatchObject({ passed: false, blocks: false })
    await expect(listContentIssues(theirs.as.OWNER, { courseId })).rejects.toEqual(code('not_found'))
  })
})
