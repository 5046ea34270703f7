import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { inTenant, pool } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import * as door from '#lib/course/course.ts'
import type { LessonDoc } from '#lib/course/schema.ts'
import { course, courseStaff } from '#lib/course/table.ts'
import { colleague, neighbour, type School, school } from '../../setup/people.ts'

const text = (words: string): LessonDoc => ({
  type: 'doc',
  content: [{ type: 'paragraph', content: [{ type: 'text', text: words }] }],
})
/** The whole text of one paragraph gives way to another. */
const instead = (words: string) => ({ at: 0, remove: 1, insert: text(words).content })
const code = (refused: string) => expect.objectContaining({ code: refused })

let ours: School
let theirs: School
beforeAll(async () => {
  ours = await school()
  theirs = await neighbour()
})

/** A course with a module and two lessons, the first with a text; published when asked. */
async function written(owner: Actor, { published = false } = {}) {
  const { courseId } = await door.createCourse(owner, { title: 'Перший вебінар' })
  const { moduleId } = await door.addModule(owner, { courseId, title: 'Підготовка' })
  const { lessonId } = await door.addLesson(owner, { moduleId, title: 'План', blocks: text('Зміст') })
  const { lessonId: second } = await door.addLesson(owner, { moduleId, title: 'Звук', blocks: text('Ще зміст') })
  if (published) await door.publishCourse(owner, { courseId })
  return { courseId, moduleId, lessonId, second }
}

const assign = (actor: Actor, courseId: string) =>
  inTenant(actor, (tx) =>
    tx
      .insert(courseStaff)
      .values({ tenantId: actor.tenantId, courseId, memberId: actor.membershipId, role: 'curator' as const }),
  )

describe('writing', () => {
  test('gives courses of one title different slugs in Latin letters', async () => {
    const slugs = []
    for (let n = 0; n < 3; n += 1)
      slugs.push((await door.createCourse(ours.as.EXPERT, { title: 'Згоряння Їжака' })).slug)
    expect(slugs).toEqual(['zghoriannia-yizhaka', 'zghoriannia-yizhaka-2', 'zghoriannia-yizhaka-3'])
  })

  test('refuses a title that is empty, too long or hides letters', async () => {
    for (const title of ['', '   ', 'я'.repeat(161), 'ok\u202eexe', 'a\nb']) {
      await expect(door.createCourse(ours.as.OWNER, { title })).rejects.toThrow()
    }
  })

  test('shows students a changed lesson only after its changes are published, and can discard them', async () => {
    const { courseId, lessonId } = await written(ours.as.OWNER, { published: true })
    await door.grantAccess(ours.as.OWNER, { courseId, studentId: ours.as.STUDENT.membershipId })
    const read = async () => (await door.openLesson(ours.as.STUDENT, { lessonId })).content?.parts
    await door.saveLesson(ours.as.OWNER, { lessonId, version: 1, title: 'План', change: instead('Нове') })
    expect(await read()).toEqual([{ kind: 'html', html: '<p>Зміст</p>' }])
    expect((await door.getLesson(ours.as.OWNER, { lessonId })).state).toBe('changed')
    await door.discardLesson(ours.as.OWNER, { lessonId })
    expect((await door.getLesson(ours.as.OWNER, { lessonId })).blocks).toEqual(text('Зміст'))
    const { version } = await door.getLesson(ours.as.OWNER, { lessonId })
    await door.saveLesson(ours.as.OWNER, { lessonId, version, title: 'План', change: instead('Найновіше') })
    await door.publishLesson(ours.as.OWNER, { lessonId })
    await door.publishLesson(ours.as.OWNER, { lessonId })
    expect(await read()).toEqual([{ kind: 'html', html: '<p>Найновіше</p>' }])
    const [newest] = await door.listRevisions(ours.as.OWNER, { lessonId })
    expect(newest).toMatchObject({ kind: 'published', version: version + 1 })
  })

  test('moves lessons within and over modules, and keeps the order', async () => {
    const { courseId, moduleId, lessonId, second } = await written(ours.as.OWNER)
    const { moduleId: last } = await door.addModule(ours.as.OWNER, { courseId, title: 'Ефір' })
    const order = async () =>
      (await door.getOutline(ours.as.OWNER, { courseId })).map((one) => [one.id, one.lessons.map((each) => each.id)])
    await door.moveLesson(ours.as.OWNER, { lessonId, by: 1 })
    expect(await order()).toEqual([
      [moduleId, [second, lessonId]],
      [last, []],
    ])
    await door.moveLesson(ours.as.OWNER, { lessonId, by: 1 })
    await door.moveModule(ours.as.OWNER, { moduleId: last, by: -1 })
    await door.moveModule(ours.as.OWNER, { moduleId: last, by: -1 })
    expect(await order()).toEqual([
      [last, [lessonId]],
      [moduleId, [second]],
    ])
    await door.moveLesson(ours.as.OWNER, { lessonId, by: -1 })
    expect(await order()).toEqual([
      [last, [lessonId]],
      [moduleId, [second]],
    ])
  })

  test('deletes with a way back, twice as well as once', async () => {
    const { courseId, moduleId, lessonId } = await written(ours.as.OWNER, { published: true })
    const counts = async () => {
      const { lessonCount, publishedLessonCount } = await door.getCourse(ours.as.OWNER, { courseId })
      return [lessonCount, publishedLessonCount]
    }
    expect(await counts()).toEqual([2, 2])
    await door.deleteLesson(ours.as.OWNER, { lessonId })
    await door.deleteLesson(ours.as.OWNER, { lessonId })
    expect(await counts()).toEqual([1, 1])
    await door.deleteModule(ours.as.OWNER, { moduleId })
    expect(await counts()).toEqual([0, 0])
    await door.restoreModule(ours.as.OWNER, { moduleId })
    await door.restoreLesson(ours.as.OWNER, { lessonId })
    expect(await counts()).toEqual([2, 2])
  })
})

describe('publishing', () => {
  test('waits for a lesson with content', async () => {
    const { courseId } = await door.createCourse(ours.as.OWNER, { title: 'Порожній' })
    await expect(door.publishCourse(ours.as.OWNER, { courseId })).rejects.toMatchObject({
      code: 'unprocessable',
      details: { fields: { form: ['course_needs_lesson'] } },
    })
  })

  test('goes back to draft only while nobody studies; the archive keeps readers', async () => {
    const { courseId, lessonId } = await written(ours.as.OWNER, { published: true })
    await door.publishCourse(ours.as.OWNER, { courseId })
    await door.grantAccess(ours.as.OWNER, { courseId, studentId: ours.as.STUDENT.membershipId })
    await expect(door.unpublishCourse(ours.as.OWNER, { courseId })).rejects.toMatchObject({ code: 'unprocessable' })
    await door.archiveCourse(ours.as.OWNER, { courseId })
    expect((await door.openLesson(ours.as.STUDENT, { lessonId })).content).not.toBeNull()
    await expect(door.publishCourse(ours.as.OWNER, { courseId })).rejects.toMatchObject({ code: 'unprocessable' })
    const invited = door.inviteToCourse(ours.as.OWNER, { courseId, email: 'late@example.com' })
    await expect(invited).rejects.toMatchObject({ details: { fields: { form: ['course_archived'] } } })
    await door.restoreCourse(ours.as.OWNER, { courseId })
    expect((await door.viewCourse(ours.as.STUDENT, { courseId })).access.because).toBe('course_not_published')
  })
})

describe('inviting and studying', () => {
  test('an invitation opens the course once, however often it is sent', async () => {
    const { courseId } = await written(ours.as.OWNER, { published: true })
    const invite = () => door.inviteToCourse(ours.as.OWNER, { courseId, email: 'New@Example.com', name: 'Нова Людина' })
    const { studentId } = await invite()
    expect((await invite()).studentId).toBe(studentId)
    const { items, count } = await door.listCourseStudents(ours.as.OWNER, { courseId })
    expect(count).toBe(1)
    expect(items).toMatchObject([{ studentId, email: 'new@example.com', status: 'invited', completed: 0, total: 2 }])
    const { title } = await door.getCourse(ours.as.OWNER, { courseId })
    const { tenantId } = ours.as.OWNER
    expect(await door.listInvitedCourses({ tenantId, studentId })).toEqual([title])
    expect(await door.listInvitedCourses({ tenantId: theirs.as.OWNER.tenantId, studentId })).toEqual([])
    await door.revokeAccess(ours.as.OWNER, { courseId, studentId })
    expect(await door.listInvitedCourses({ tenantId, studentId })).toEqual([])
  })

  test('a student reads, completes, and the school sees it', async () => {
    const mine = await school('Числа')
    const { courseId, lessonId, second } = await written(mine.as.OWNER, { published: true })
    await door.grantAccess(mine.as.OWNER, { courseId, studentId: mine.as.STUDENT.membershipId })
    expect((await door.openLesson(mine.as.STUDENT, { lessonId })).next).toMatchObject({ id: second, state: 'open' })
    const first = await door.completeLesson(mine.as.STUDENT, { lessonId })
    const again = await door.completeLesson(mine.as.STUDENT, { lessonId })
    expect(first).toMatchObject({ completed: 1, total: 2, nextLessonId: second })
    expect(again).toMatchObject({ completed: 1 })
    expect(await door.listMyCourses(mine.as.STUDENT)).toMatchObject([
      { completed: 1, total: 2, resume: { id: second } },
    ])
    expect(await door.countLearning(mine.as.OWNER)).toMatchObject({ courses: 1, students: 1, active: 1, completed: 1 })
    expect(await door.listCourseProgress(mine.as.OWNER)).toMatchObject([{ share: 0.5 }])
    expect(await door.listCompletions(mine.as.OWNER)).toMatchObject([{ lesson: 'План', courseId }])
    expect(await door.reopenLesson(mine.as.STUDENT, { lessonId })).toMatchObject({ completed: 0, completedAt: null })
  })

  test('a course without a grant does not exist for a student, a revoked one neither', async () => {
    const { courseId, lessonId } = await written(ours.as.OWNER, { published: true })
    const studentId = ours.as.STUDENT.membershipId
    await expect(door.viewCourse(ours.as.STUDENT, { courseId })).rejects.toEqual(code('not_found'))
    await expect(door.openLesson(ours.as.STUDENT, { lessonId })).rejects.toEqual(code('not_found'))
    await door.grantAccess(ours.as.OWNER, { courseId, studentId })
    await door.grantAccess(ours.as.OWNER, { courseId, studentId })
    const once = await door.revokeAccess(ours.as.OWNER, { courseId, studentId })
    expect(once).toEqual({ revoked: 1, changeId: expect.any(String) })
    await expect(door.openLesson(ours.as.STUDENT, { lessonId })).rejects.toEqual(code('not_found'))
    expect((await door.getCourse(ours.as.OWNER, { courseId })).studentCount).toBe(0)
    await door.grantAccess(ours.as.OWNER, { courseId, studentId })
    expect((await door.openLesson(ours.as.STUDENT, { lessonId })).content).not.toBeNull()
  })

  test('revoked access is listed as a change and can be taken back, after a double press too', async () => {
    const { courseId, lessonId } = await written(ours.as.OWNER, { published: true })
    const studentId = ours.as.STUDENT.membershipId
    await door.grantAccess(ours.as.OWNER, { courseId, studentId })
    const presses = [0, 1].map(() => door.revokeAccess(ours.as.OWNER, { courseId, studentId }))
    const [one, other] = await Promise.all(presses)
    expect([one?.revoked, other?.revoked].sort()).toEqual([0, 1])
    expect(one?.changeId).toBe(other?.changeId)
    expect(await door.listAccessChanges(ours.as.OWNER, { courseId })).toMatchObject([
      { id: one?.changeId, act: 'revoke', students: 1, undoneAt: null },
    ])
    await door.undoAccess(ours.as.OWNER, { changeId: one?.changeId ?? '' })
    expect((await door.openLesson(ours.as.STUDENT, { lessonId })).content).not.toBeNull()
    expect((await door.getCourse(ours.as.OWNER, { courseId })).studentCount).toBe(1)
  })

  test('a locked lesson comes without its text and cannot be completed', async () => {
    const { courseId, second } = await written(ours.as.OWNER, { published: true })
    await door.updateCourse(ours.as.OWNER, { courseId, progression: 'sequential' })
    await door.grantAccess(ours.as.OWNER, { courseId, studentId: ours.as.STUDENT.membershipId })
    expect(await door.openLesson(ours.as.STUDENT, { lessonId: second })).toMatchObject({
      content: null,
      access: { because: 'after_lesson', after: { title: 'План' } },
    })
    await expect(door.completeLesson(ours.as.STUDENT, { lessonId: second })).rejects.toEqual(code('forbidden'))
  })

  test('a member of the team is not given a course to study', async () => {
    const { courseId } = await written(ours.as.OWNER)
    const studentId = ours.as.EXPERT.membershipId
    await expect(door.grantAccess(ours.as.OWNER, { courseId, studentId })).rejects.toEqual(code('not_found'))
  })
})

describe('roles', () => {
  test('a curator reads all courses, and manages students where assigned', async () => {
    const { courseId } = await written(ours.as.OWNER, { published: true })
    const curator = await colleague(ours, 'CURATOR', `curator-${courseId}@example.com`)
    const invite = () => door.inviteToCourse(curator, { courseId, email: `s-${courseId}@example.com` })
    expect((await door.getOutline(curator, { courseId })).length).toBe(1)
    await expect(door.updateCourse(curator, { courseId, title: 'Ні' })).rejects.toEqual(code('forbidden'))
    await expect(door.listCourseStudents(curator, { courseId })).rejects.toEqual(code('forbidden'))
    await expect(invite()).rejects.toEqual(code('forbidden'))
    await assign(curator, courseId)
    await invite()
    expect((await door.listCourseStudents(curator, { courseId })).count).toBe(1)
    expect(await door.countLearning(curator)).toMatchObject({ courses: 1, students: 1 })
  })

  test('others see nothing', async () => {
    for (const role of ['PRESENTER', 'MODERATOR', 'MENTOR', 'MEMBER', 'STUDENT'] as const) {
      await expect(door.listCourses(ours.as[role])).rejects.toEqual(code('forbidden'))
      await expect(door.createCourse(ours.as[role], { title: 'Ні' })).rejects.toEqual(code('forbidden'))
    }
    await expect(door.listMyCourses(ours.as.OWNER)).rejects.toEqual(code('forbidden'))
  })

  test('a lapsed plan leaves courses readable and not writable', async () => {
    const { courseId, lessonId } = await written(ours.as.OWNER)
    const lapsed: Actor = { ...ours.as.OWNER, plans: [] }
    expect((await door.getCourse(lapsed, { courseId })).id).toBe(courseId)
    await expect(door.publishLesson(lapsed, { lessonId })).rejects.toEqual(code('plan_inactive'))
    await expect(door.inviteToCourse(lapsed, { courseId, email: 'a@b.ua' })).rejects.toEqual(code('plan_inactive'))
  })
})

describe('the neighbour', () => {
  test('finds nothing of ours, whatever is asked', async () => {
    const { courseId, moduleId, lessonId } = await written(ours.as.OWNER, { published: true })
    const studentId = ours.as.STUDENT.membershipId
    const { OWNER: owner, STUDENT: student } = theirs.as
    const title = 'Чуже'
    const asked: Record<string, () => Promise<unknown>> = {
      getCourse: () => door.getCourse(owner, { courseId }),
      updateCourse: () => door.updateCourse(owner, { courseId, title }),
      getOutline: () => door.getOutline(owner, { courseId }),
      getReadiness: () => door.getReadiness(owner, { courseId }),
      publishCourse: () => door.publishCourse(owner, { courseId }),
      unpublishCourse: () => door.unpublishCourse(owner, { courseId }),
      archiveCourse: () => door.archiveCourse(owner, { courseId }),
      restoreCourse: () => door.restoreCourse(owner, { courseId }),
      addModule: () => door.addModule(owner, { courseId, title }),
      changeModule: () => door.changeModule(owner, { moduleId, change: { title } }),
      moveModule: () => door.moveModule(owner, { moduleId, by: 1 }),
      deleteModule: () => door.deleteModule(owner, { moduleId }),
      restoreModule: () => door.restoreModule(owner, { moduleId }),
      addLesson: () => door.addLesson(owner, { moduleId, title }),
      getLesson: () => door.getLesson(owner, { lessonId }),
      renameLesson: () => door.renameLesson(owner, { lessonId, title }),
      moveLesson: () => door.moveLesson(owner, { lessonId, by: 1 }),
      saveLesson: () => door.saveLesson(owner, { lessonId, version: 1, title, change: instead(title) }),
      publishLesson: () => door.publishLesson(owner, { lessonId }),
      discardLesson: () => door.discardLesson(owner, { lessonId }),
      listRevisions: () => door.listRevisions(owner, { lessonId }),
      deleteLesson: () => door.deleteLesson(owner, { lessonId }),
      restoreLesson: () => door.restoreLesson(owner, { lessonId }),
      inviteToCourse: () => door.inviteToCourse(owner, { courseId, email: 'n@example.com' }),
      grantAccess: () => door.grantAccess(owner, { courseId, studentId }),
      revokeAccess: () => door.revokeAccess(owner, { courseId, studentId }),
      listCourseStudents: () => door.listCourseStudents(owner, { courseId }),
      viewCourse: () => door.viewCourse(student, { courseId }),
      openLesson: () => door.openLesson(student, { lessonId }),
      completeLesson: () => door.completeLesson(student, { lessonId }),
      reopenLesson: () => door.reopenLesson(student, { lessonId }),
    }
    for (const [name, ask] of Object.entries(asked)) await expect(ask(), name).rejects.toEqual(code('not_found'))
    expect((await door.listCourses(owner)).items.map((one) => one.id)).not.toContain(courseId)
  })

  test('cannot give our course to their student', async () => {
    const { courseId } = await written(theirs.as.OWNER)
    const studentId = ours.as.STUDENT.membershipId
    await expect(door.grantAccess(theirs.as.OWNER, { courseId, studentId })).rejects.toEqual(code('not_found'))
  })
})

describe('the list', () => {
  test('pages by keyset without gaps or repeats, filters and searches', async () => {
    const mine = await school('Список')
    const made = []
    for (let n = 0; n < 7; n += 1)
      made.push((await door.createCourse(mine.as.OWNER, { title: `Курс ${n} 100%` })).courseId)
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const page = await door.listCourses(mine.as.OWNER, { limit: 3, cursor })
      seen.push(...page.items.map((one) => one.id))
      cursor = page.next ?? undefined
    } while (cursor)
    expect(seen).toEqual(made.reverse())
    expect((await door.listCourses(mine.as.OWNER, { q: 'курс 3' })).items).toHaveLength(1)
    expect((await door.listCourses(mine.as.OWNER, { q: '100%' })).items).toHaveLength(7)
    expect((await door.listCourses(mine.as.OWNER, { q: '%' })).items).toHaveLength(7)
    expect((await door.listCourses(mine.as.OWNER, { q: '_' })).items).toHaveLength(0)
    expect((await door.listCourses(mine.as.OWNER, { status: 'published' })).items).toHaveLength(0)
    await expect(door.listCourses(mine.as.OWNER, { cursor: 'x' })).rejects.toEqual(code('invalid'))
  })

  test('takes one statement beside begin and commit, however many courses there are', async () => {
    const mine = await school('Великий список')
    await inTenant(mine.as.OWNER, (tx) =>
      tx
        .insert(course)
        .values(
          Array.from({ length: 300 }, (_, n) => ({ tenantId: mine.tenant.id, title: `Курс ${n}`, slug: `kurs-${n}` })),
        ),
    )
    const client = await pool.connect()
    const asked: string[] = []
    const query = client.query
    client.release()
    client.query = function spy(this: unknown, ...given: unknown[]) {
      const [first] = given
      asked.push(typeof first === 'string' ? first : String((first as { text?: string }).text))
      return Reflect.apply(query, client, given)
    } as typeof client.query
    const { items } = await door.listCourses(mine.as.OWNER)
    client.query = query
    expect(items).toHaveLength(12)
    expect(asked).toHaveLength(3)
    expect(asked[0]).toMatch(/^begin/)
    const kept = await inTenant(mine.as.OWNER, (tx) =>
      tx.select({ id: course.id }).from(course).where(eq(course.tenantId, theirs.tenant.id)),
    )
    expect(kept).toEqual([])
  })
})
