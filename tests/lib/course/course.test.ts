import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { inTenant, pool } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { LessonDoc } from '#lib/core/shared/lesson-doc.ts'
import { listAccessChanges } from '#lib/course/access/access-changes.ts'
import { undoAccess } from '#lib/course/access/change-access.ts'
import { grantAccess } from '#lib/course/access/grants.ts'
import { listInvitedCourses } from '#lib/course/access/invited-courses.ts'
import { revokeAccess } from '#lib/course/access/revoke.ts'
import { getCourse } from '#lib/course/course.ts'
import { completeLesson, reopenLesson } from '#lib/course/learning/completion.ts'
import { listMyCourses, viewCourse } from '#lib/course/learning/my-courses.ts'
import { openLesson } from '#lib/course/learning/open-lesson.ts'
import { discardLesson, getLesson, publishLesson } from '#lib/course/lesson/lesson.ts'
import { listRevisions } from '#lib/course/lesson/revision.ts'
import { saveLesson } from '#lib/course/lesson/save.ts'
import { moveLesson, moveModule } from '#lib/course/outline/arrange.ts'
import { changeModule, renameLesson } from '#lib/course/outline/bulk-change.ts'
import { addModule, getOutline } from '#lib/course/outline/outline.ts'
import { deleteLesson, deleteModule, restoreLesson, restoreModule } from '#lib/course/outline/trash.ts'
import {
  archiveCourse,
  getCourseReadiness,
  publishCourse,
  restoreCourse,
  unpublishCourse,
} from '#lib/course/publish.ts'
import { updateCourse } from '#lib/course/settings.ts'
import { countLearning, listCompletions, listCourseProgress } from '#lib/course/statistics/course-totals.ts'
import { course, courseStaff } from '#lib/course/table.ts'
import { requestApi } from '../../api/api-request.ts'
import { createCourse, listCourses } from '../../setup/parsed/course.ts'
import { inviteToCourse, listCourseStudents } from '../../setup/parsed/course-access.ts'
import { addLesson } from '../../setup/parsed/course-outline.ts'
import { addTestMember, createOtherTenant, createTestTenant, type TestTenant } from '../../setup/tenants.ts'

const text = (words: string): LessonDoc => ({
  type: 'doc',
  content: [{ type: 'paragraph', content: [{ type: 'text', text: words }] }],
})
/** Replaces the complete text of a paragraph. */
const instead = (words: string) => ({ at: 0, remove: 1, insert: text(words).content })
const code = (refused: string) => expect.objectContaining({ code: refused })

let ours: TestTenant
let theirs: TestTenant
beforeAll(async () => {
  ours = await createTestTenant()
  theirs = await createOtherTenant()
})

/** A course with a module and two lessons, the first with a text; published on request. */
async function written(owner: Actor, { published = false } = {}) {
  const { courseId } = await createCourse(owner, { title: 'Перший вебінар' })
  const { moduleId } = await addModule(owner, { courseId, title: 'Підготовка' })
  const { lessonId } = await addLesson(owner, { moduleId, title: 'План', blocks: text('Зміст') })
  const { lessonId: second } = await addLesson(owner, { moduleId, title: 'Звук', blocks: text('Ще зміст') })
  if (published) await publishCourse(owner, { courseId })
  return { courseId, moduleId, lessonId, second }
}

const assign = (actor: Actor, courseId: string) =>
  inTenant(actor, (tx) =>
    tx
      .insert(courseStaff)
      .values({ tenantId: actor.tenantId, courseId, memberId: actor.membershipId, role: 'curator' as const }),
  )

describe('editing', () => {
  test('gives courses with equal titles different slugs in Latin letters', async () => {
    const slugs = []
    for (let n = 0; n < 3; n += 1) slugs.push((await createCourse(ours.as.EXPERT, { title: 'Згоряння Їжака' })).slug)
    expect(slugs).toEqual(['zghoriannia-yizhaka', 'zghoriannia-yizhaka-2', 'zghoriannia-yizhaka-3'])
  })

  test('refuses a title that is empty, too long or contains hidden characters', async () => {
    for (const title of ['', '   ', 'я'.repeat(161), 'ok\u202eexe', 'a\nb']) {
      const reply = await requestApi('POST', 'course/create', { actor: ours.as.OWNER, body: { title } })
      expect(reply, title).toMatchObject({ status: 400, body: { fields: { title: [expect.any(String)] } } })
    }
  })

  test('shows students a changed lesson only after its changes are published, and can discard them', async () => {
    const { courseId, lessonId } = await written(ours.as.OWNER, { published: true })
    await grantAccess(ours.as.OWNER, { courseId, studentId: ours.as.STUDENT.membershipId })
    const read = async () => (await openLesson(ours.as.STUDENT, { lessonId })).content?.parts
    await saveLesson(ours.as.OWNER, { lessonId, version: 1, title: 'План', change: instead('Нове') })
    expect(await read()).toEqual([{ kind: 'html', html: '<p>Зміст</p>' }])
    expect((await getLesson(ours.as.OWNER, { lessonId })).state).toBe('changed')
    await discardLesson(ours.as.OWNER, { lessonId })
    expect((await getLesson(ours.as.OWNER, { lessonId })).blocks).toEqual(text('Зміст'))
    const { version } = await getLesson(ours.as.OWNER, { lessonId })
    await saveLesson(ours.as.OWNER, { lessonId, version, title: 'План', change: instead('Найновіше') })
    await publishLesson(ours.as.OWNER, { lessonId })
    await publishLesson(ours.as.OWNER, { lessonId })
    expect(await read()).toEqual([{ kind: 'html', html: '<p>Найновіше</p>' }])
    const [newest] = await listRevisions(ours.as.OWNER, { lessonId })
    expect(newest).toMatchObject({ kind: 'published', version: version + 1 })
  })

  test('moves lessons within and between modules, and keeps the order', async () => {
    const { courseId, moduleId, lessonId, second } = await written(ours.as.OWNER)
    const { moduleId: last } = await addModule(ours.as.OWNER, { courseId, title: 'Ефір' })
    const order = async () =>
      (await getOutline(ours.as.OWNER, { courseId })).map((module) => [
        module.id,
        module.lessons.map((each) => each.id),
      ])
    await moveLesson(ours.as.OWNER, { lessonId, direction: 1 })
    expect(await order()).toEqual([
      [moduleId, [second, lessonId]],
      [last, []],
    ])
    await moveLesson(ours.as.OWNER, { lessonId, direction: 1 })
    await moveModule(ours.as.OWNER, { moduleId: last, direction: -1 })
    await moveModule(ours.as.OWNER, { moduleId: last, direction: -1 })
    expect(await order()).toEqual([
      [last, [lessonId]],
      [moduleId, [second]],
    ])
    await moveLesson(ours.as.OWNER, { lessonId, direction: -1 })
    expect(await order()).toEqual([
      [last, [lessonId]],
      [moduleId, [second]],
    ])
  })

  test('deletes with undo, also when called twice', async () => {
    const { courseId, moduleId, lessonId } = await written(ours.as.OWNER, { published: true })
    const counts = async () => {
      const { lessonCount, publishedLessonCount } = await getCourse(ours.as.OWNER, { courseId })
      return [lessonCount, publishedLessonCount]
    }
    expect(await counts()).toEqual([2, 2])
    await deleteLesson(ours.as.OWNER, { lessonId })
    await deleteLesson(ours.as.OWNER, { lessonId })
    expect(await counts()).toEqual([1, 1])
    await deleteModule(ours.as.OWNER, { moduleId })
    expect(await counts()).toEqual([0, 0])
    await restoreModule(ours.as.OWNER, { moduleId })
    await restoreLesson(ours.as.OWNER, { lessonId })
    expect(await counts()).toEqual([2, 2])
  })
})

describe('publishing', () => {
  test('requires a lesson with content', async () => {
    const { courseId } = await createCourse(ours.as.OWNER, { title: 'Порожній' })
    await expect(publishCourse(ours.as.OWNER, { courseId })).rejects.toMatchObject({
      code: 'unprocessable',
      details: { fields: { form: ['course_needs_lesson'] } },
    })
  })

  test('reverts to draft only without students; an archived course keeps its readers', async () => {
    const { courseId, lessonId } = await written(ours.as.OWNER, { published: true })
    await publishCourse(ours.as.OWNER, { courseId })
    await grantAccess(ours.as.OWNER, { courseId, studentId: ours.as.STUDENT.membershipId })
    await expect(unpublishCourse(ours.as.OWNER, { courseId })).rejects.toMatchObject({ code: 'unprocessable' })
    await archiveCourse(ours.as.OWNER, { courseId })
    expect((await openLesson(ours.as.STUDENT, { lessonId })).content).not.toBeNull()
    await expect(publishCourse(ours.as.OWNER, { courseId })).rejects.toMatchObject({ code: 'unprocessable' })
    const invited = inviteToCourse(ours.as.OWNER, { courseId, email: 'late@example.com' })
    await expect(invited).rejects.toMatchObject({ details: { fields: { form: ['course_archived'] } } })
    await restoreCourse(ours.as.OWNER, { courseId })
    expect((await viewCourse(ours.as.STUDENT, { courseId })).access.reason).toBe('course_not_published')
  })
})

describe('inviting and learning', () => {
  test('an invitation opens the course once, however often it is sent', async () => {
    const { courseId } = await written(ours.as.OWNER, { published: true })
    const invite = () => inviteToCourse(ours.as.OWNER, { courseId, email: 'New@Example.com', name: 'Нова Людина' })
    const { studentId } = await invite()
    expect((await invite()).studentId).toBe(studentId)
    const { items, count } = await listCourseStudents(ours.as.OWNER, { courseId })
    expect(count).toBe(1)
    expect(items).toMatchObject([{ studentId, email: 'new@example.com', status: 'invited', completed: 0, total: 2 }])
    const { title } = await getCourse(ours.as.OWNER, { courseId })
    const { tenantId } = ours.as.OWNER
    expect(await listInvitedCourses({ tenantId, studentId })).toEqual([title])
    expect(await listInvitedCourses({ tenantId: theirs.as.OWNER.tenantId, studentId })).toEqual([])
    await revokeAccess(ours.as.OWNER, { courseId, studentId })
    expect(await listInvitedCourses({ tenantId, studentId })).toEqual([])
  })

  test('staff see when a student opens and completes a lesson', async () => {
    const mine = await createTestTenant('Числа')
    const { courseId, lessonId, second } = await written(mine.as.OWNER, { published: true })
    await grantAccess(mine.as.OWNER, { courseId, studentId: mine.as.STUDENT.membershipId })
    expect((await openLesson(mine.as.STUDENT, { lessonId })).next).toMatchObject({ id: second, state: 'open' })
    const first = await completeLesson(mine.as.STUDENT, { lessonId })
    const again = await completeLesson(mine.as.STUDENT, { lessonId })
    expect(first).toMatchObject({ completed: 1, total: 2, nextLessonId: second })
    expect(again).toMatchObject({ completed: 1 })
    expect(await listMyCourses(mine.as.STUDENT)).toMatchObject([{ completed: 1, total: 2, resume: { id: second } }])
    expect(await countLearning(mine.as.OWNER)).toMatchObject({ courses: 1, students: 1, active: 1, completed: 1 })
    expect(await listCourseProgress(mine.as.OWNER)).toMatchObject([{ share: 0.5 }])
    expect(await listCompletions(mine.as.OWNER)).toMatchObject([{ lesson: 'План', courseId }])
    expect(await reopenLesson(mine.as.STUDENT, { lessonId })).toMatchObject({ completed: 0, completedAt: null })
    expect(await listCourseProgress(mine.as.OWNER)).toMatchObject([{ share: 0 }])
  })

  test('the progress of a course counts students with access only', async () => {
    const mine = await createTestTenant('Частка')
    const { courseId, lessonId } = await written(mine.as.OWNER, { published: true })
    const former = await addTestMember(mine, 'STUDENT', 'former@list.test')
    for (const student of [mine.as.STUDENT, former]) {
      await grantAccess(mine.as.OWNER, { courseId, studentId: student.membershipId })
      await completeLesson(student, { lessonId })
    }
    expect(await listCourseProgress(mine.as.OWNER)).toMatchObject([{ students: 2, share: 0.5 }])
    await revokeAccess(mine.as.OWNER, { courseId, studentId: former.membershipId })
    await reopenLesson(mine.as.STUDENT, { lessonId })
    expect(await listCourseProgress(mine.as.OWNER)).toMatchObject([{ students: 1, share: 0 }])
  })

  test('a course without a grant or with a revoked one is not found by a student', async () => {
    const { courseId, lessonId } = await written(ours.as.OWNER, { published: true })
    const studentId = ours.as.STUDENT.membershipId
    await expect(viewCourse(ours.as.STUDENT, { courseId })).rejects.toEqual(code('not_found'))
    await expect(openLesson(ours.as.STUDENT, { lessonId })).rejects.toEqual(code('not_found'))
    await grantAccess(ours.as.OWNER, { courseId, studentId })
    await grantAccess(ours.as.OWNER, { courseId, studentId })
    const once = await revokeAccess(ours.as.OWNER, { courseId, studentId })
    expect(once).toEqual({ revoked: 1, changeId: expect.any(String) })
    await expect(openLesson(ours.as.STUDENT, { lessonId })).rejects.toEqual(code('not_found'))
    expect((await getCourse(ours.as.OWNER, { courseId })).studentCount).toBe(0)
    await grantAccess(ours.as.OWNER, { courseId, studentId })
    expect((await openLesson(ours.as.STUDENT, { lessonId })).content).not.toBeNull()
  })

  test('revoked access is listed as a change and can be undone, also after a double click', async () => {
    const { courseId, lessonId } = await written(ours.as.OWNER, { published: true })
    const studentId = ours.as.STUDENT.membershipId
    await grantAccess(ours.as.OWNER, { courseId, studentId })
    const presses = [0, 1].map(() => revokeAccess(ours.as.OWNER, { courseId, studentId }))
    const [first, other] = await Promise.all(presses)
    expect([first?.revoked, other?.revoked].sort()).toEqual([0, 1])
    expect(first?.changeId).toBe(other?.changeId)
    expect(await listAccessChanges(ours.as.OWNER, { courseId })).toMatchObject([
      { id: first?.changeId, action: 'revoke', students: 1, undoneAt: null },
    ])
    await undoAccess(ours.as.OWNER, { changeId: first?.changeId ?? '' })
    expect((await openLesson(ours.as.STUDENT, { lessonId })).content).not.toBeNull()
    expect((await getCourse(ours.as.OWNER, { courseId })).studentCount).toBe(1)
  })

  test('a locked lesson is returned without its text and cannot be completed', async () => {
    const { courseId, second } = await written(ours.as.OWNER, { published: true })
    await updateCourse(ours.as.OWNER, { courseId, progression: 'sequential' })
    await grantAccess(ours.as.OWNER, { courseId, studentId: ours.as.STUDENT.membershipId })
    expect(await openLesson(ours.as.STUDENT, { lessonId: second })).toMatchObject({
      content: null,
      access: { reason: 'after_lesson', after: { title: 'План' } },
    })
    await expect(completeLesson(ours.as.STUDENT, { lessonId: second })).rejects.toEqual(code('forbidden'))
  })

  test('a team member cannot be granted a course', async () => {
    const { courseId } = await written(ours.as.OWNER)
    const studentId = ours.as.EXPERT.membershipId
    await expect(grantAccess(ours.as.OWNER, { courseId, studentId })).rejects.toEqual(code('not_found'))
  })
})

describe('roles', () => {
  test('a curator reads all courses, and manages students where assigned', async () => {
    const { courseId } = await written(ours.as.OWNER, { published: true })
    const curator = await addTestMember(ours, 'CURATOR', `curator-${courseId}@example.com`)
    const invite = () => inviteToCourse(curator, { courseId, email: `s-${courseId}@example.com` })
    expect((await getOutline(curator, { courseId })).length).toBe(1)
    await expect(updateCourse(curator, { courseId, title: 'Ні' })).rejects.toEqual(code('forbidden'))
    await expect(listCourseStudents(curator, { courseId })).rejects.toEqual(code('forbidden'))
    await expect(invite()).rejects.toEqual(code('forbidden'))
    await assign(curator, courseId)
    await invite()
    expect((await listCourseStudents(curator, { courseId })).count).toBe(1)
    expect(await countLearning(curator)).toMatchObject({ courses: 1, students: 1 })
  })

  test('other roles see nothing', async () => {
    for (const role of ['PRESENTER', 'MODERATOR', 'MENTOR', 'MEMBER', 'STUDENT'] as const) {
      await expect(listCourses(ours.as[role], {})).rejects.toEqual(code('forbidden'))
      await expect(createCourse(ours.as[role], { title: 'Ні' })).rejects.toEqual(code('forbidden'))
    }
    await expect(listMyCourses(ours.as.OWNER)).rejects.toEqual(code('forbidden'))
  })

  test('an expired plan leaves courses readable and not writable', async () => {
    const { courseId, lessonId } = await written(ours.as.OWNER)
    const lapsed: Actor = { ...ours.as.OWNER, plans: [] }
    expect((await getCourse(lapsed, { courseId })).id).toBe(courseId)
    await expect(publishLesson(lapsed, { lessonId })).rejects.toEqual(code('plan_inactive'))
    await expect(inviteToCourse(lapsed, { courseId, email: 'a@b.ua' })).rejects.toEqual(code('plan_inactive'))
  })
})

describe('another tenant', () => {
  test('does not find anything of this tenant by any call', async () => {
    const { courseId, moduleId, lessonId } = await written(ours.as.OWNER, { published: true })
    const studentId = ours.as.STUDENT.membershipId
    const { OWNER: owner, STUDENT: student } = theirs.as
    const title = 'Чуже'
    const procedures: Record<string, () => Promise<unknown>> = {
      getCourse: () => getCourse(owner, { courseId }),
      updateCourse: () => updateCourse(owner, { courseId, title }),
      getOutline: () => getOutline(owner, { courseId }),
      getReadiness: () => getCourseReadiness(owner, { courseId }),
      publishCourse: () => publishCourse(owner, { courseId }),
      unpublishCourse: () => unpublishCourse(owner, { courseId }),
      archiveCourse: () => archiveCourse(owner, { courseId }),
      restoreCourse: () => restoreCourse(owner, { courseId }),
      addModule: () => addModule(owner, { courseId, title }),
      changeModule: () => changeModule(owner, { moduleId, change: { title } }),
      moveModule: () => moveModule(owner, { moduleId, direction: 1 }),
      deleteModule: () => deleteModule(owner, { moduleId }),
      restoreModule: () => restoreModule(owner, { moduleId }),
      addLesson: () => addLesson(owner, { moduleId, title }),
      getLesson: () => getLesson(owner, { lessonId }),
      renameLesson: () => renameLesson(owner, { lessonId, title }),
      moveLesson: () => moveLesson(owner, { lessonId, direction: 1 }),
      saveLesson: () => saveLesson(owner, { lessonId, version: 1, title, change: instead(title) }),
      publishLesson: () => publishLesson(owner, { lessonId }),
      discardLesson: () => discardLesson(owner, { lessonId }),
      listRevisions: () => listRevisions(owner, { lessonId }),
      deleteLesson: () => deleteLesson(owner, { lessonId }),
      restoreLesson: () => restoreLesson(owner, { lessonId }),
      inviteToCourse: () => inviteToCourse(owner, { courseId, email: 'n@example.com' }),
      grantAccess: () => grantAccess(owner, { courseId, studentId }),
      revokeAccess: () => revokeAccess(owner, { courseId, studentId }),
      listCourseStudents: () => listCourseStudents(owner, { courseId }),
      viewCourse: () => viewCourse(student, { courseId }),
      openLesson: () => openLesson(student, { lessonId }),
      completeLesson: () => completeLesson(student, { lessonId }),
      reopenLesson: () => reopenLesson(student, { lessonId }),
    }
    for (const [name, call] of Object.entries(procedures)) await expect(call(), name).rejects.toEqual(code('not_found'))
    expect((await listCourses(owner, {})).items.map((item) => item.id)).not.toContain(courseId)
  })

  test('cannot grant this tenant’s course to its student', async () => {
    const { courseId } = await written(theirs.as.OWNER)
    const studentId = ours.as.STUDENT.membershipId
    await expect(grantAccess(theirs.as.OWNER, { courseId, studentId })).rejects.toEqual(code('not_found'))
  })
})

describe('the list', () => {
  test('pages by keyset without gaps or repeats, filters and searches', async () => {
    const mine = await createTestTenant('Список')
    const made = []
    for (let n = 0; n < 7; n += 1) made.push((await createCourse(mine.as.OWNER, { title: `Курс ${n} 100%` })).courseId)
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const page = await listCourses(mine.as.OWNER, { limit: 3, cursor })
      seen.push(...page.items.map((item) => item.id))
      cursor = page.next ?? undefined
    } while (cursor)
    expect(seen).toEqual(made.reverse())
    expect((await listCourses(mine.as.OWNER, { q: 'курс 3' })).items).toHaveLength(1)
    expect((await listCourses(mine.as.OWNER, { q: '100%' })).items).toHaveLength(7)
    expect((await listCourses(mine.as.OWNER, { q: '%' })).items).toHaveLength(7)
    expect((await listCourses(mine.as.OWNER, { q: '_' })).items).toHaveLength(0)
    expect((await listCourses(mine.as.OWNER, { status: 'published' })).items).toHaveLength(0)
    await expect(listCourses(mine.as.OWNER, { cursor: 'x' })).rejects.toEqual(code('invalid'))
  })

  test('needs one statement besides begin and commit, however many courses there are', async () => {
    const mine = await createTestTenant('Великий список')
    await inTenant(mine.as.OWNER, (tx) =>
      tx.insert(course).values(
        Array.from({ length: 300 }, (_, n) => ({
          tenantId: mine.tenant.id,
          title: `Курс ${n}`,
          slug: `kurs-${n}`,
        })),
      ),
    )
    const client = await pool.connect()
    const statements: string[] = []
    const query = client.query
    client.release()
    client.query = function spy(this: unknown, ...given: unknown[]) {
      const [first] = given
      statements.push(typeof first === 'string' ? first : String((first as { text?: string }).text))
      return Reflect.apply(query, client, given)
    } as typeof client.query
    const { items } = await listCourses(mine.as.OWNER, {})
    client.query = query
    expect(items).toHaveLength(12)
    expect(statements).toHaveLength(3)
    expect(statements[0]).toMatch(/^begin/)
    const kept = await inTenant(mine.as.OWNER, (tx) =>
      tx.select({ id: course.id }).from(course).where(eq(course.tenantId, theirs.tenant.id)),
    )
    expect(kept).toEqual([])
  })
})
