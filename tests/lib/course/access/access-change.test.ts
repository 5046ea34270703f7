import { and, eq } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { inTenant } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { ROLES, type Role } from '#lib/core/shared/role.ts'
import { listAccessChanges } from '#lib/course/access/access-changes.ts'
import { previewAccess, undoAccess } from '#lib/course/access/change-access.ts'
import { explainAccess, listGrants } from '#lib/course/access/explain-access.ts'
import { grantAccess } from '#lib/course/access/grants.ts'
import type { AccessAction, ChangeAccess } from '#lib/course/access/schema.ts'
import { createGroup, listGroups, updateGroup } from '#lib/course/group/group.ts'
import { addToGroup, removeFromGroup } from '#lib/course/group/members.ts'
import { completeLesson } from '#lib/course/learning/completion.ts'
import { viewCourse } from '#lib/course/learning/my-courses.ts'
import { recordHomework, setTaskCount } from '#lib/course/learning/progress.ts'
import { accessGrant, accessOverride, lessonProgress } from '#lib/course/learning/table.ts'
import { addModule } from '#lib/course/outline/outline.ts'
import { publishCourse } from '#lib/course/publish.ts'
import { course, lesson } from '#lib/course/table.ts'
import { putOnCourse } from '../../../setup/course/works.ts'
import { createCourse } from '../../../setup/parsed/course.ts'
import { changeAccess, getMatrix, previewCourse } from '../../../setup/parsed/course-access.ts'
import { addLesson } from '../../../setup/parsed/course-outline.ts'
import { addTestMember, createOtherTenant, createTestTenant, type TestTenant } from '../../../setup/tenants.ts'

let ours: TestTenant
let theirs: TestTenant
let olena: Actor
let ihor: Actor
let OWNER: Actor
let courseId: string
let lessonIds: string[]

beforeAll(async () => {
  ours = await createTestTenant()
  theirs = await createOtherTenant()
  OWNER = ours.as.OWNER
  olena = await addTestMember(ours, 'STUDENT', 'olena@access.test')
  ihor = await addTestMember(ours, 'STUDENT', 'ihor@access.test')
})

beforeEach(async () => {
  const made = await written(OWNER)
  courseId = made.courseId
  lessonIds = made.lessonIds
  for (const student of [olena, ihor]) await give(student)
})

const give = ({ membershipId: studentId }: Actor) => grantAccess(OWNER, { courseId, studentId })
const change = (action: AccessAction, students = [olena], actor = OWNER) =>
  changeAccess(actor, {
    courseId,
    target: { studentIds: students.map((student) => student.membershipId) },
    change: action,
  })
const states = async (student = olena) => {
  const { modules } = await viewCourse(student, { courseId })
  return modules.flatMap(({ lessons }) => lessons.map(({ access }) => access.reason))
}
const [day, at] = [86_400_000, (ms: number) => new Date(Date.now() + ms).toISOString()]

describe('a change of access', () => {
  const actions: [string, (ids: string[]) => AccessAction, string[]][] = [
    ['closes lessons', (ids) => ({ action: 'close', lessonIds: ids.slice(1) }), ['open', 'closed_by_school']],
    ['closes all', () => ({ action: 'close', lessonIds: null }), ['closed_by_school', 'closed_by_school']],
    ['opens all', () => ({ action: 'open', lessonIds: null }), ['opened_by_school', 'opened_by_school']],
    ['freezes', () => ({ action: 'freeze', from: null, to: at(day) }), ['frozen', 'frozen']],
  ]
  test.each(actions)('that %s is visible to the student, and reverted by its undo', async (_, action, reason) => {
    const { changeId } = await change(action(lessonIds))
    expect(await states()).toEqual(reason)
    expect(await states(ihor)).toEqual(['open', 'open'])
    await undoAccess(OWNER, { changeId })
    expect(await states()).toEqual(['open', 'open'])
    await undoAccess(OWNER, { changeId })
    expect(await states()).toEqual(['open', 'open'])
  })

  test('of many students has the effects that its preview shows', async () => {
    const change: ChangeAccess = {
      note: '',
      courseId,
      target: { studentIds: [olena, ihor].map((student) => student.membershipId) },
      change: { action: 'close', lessonIds: lessonIds.slice(0, 1) },
    }
    const { effects, students } = await previewAccess(OWNER, change)
    expect(students).toBe(2)
    expect(effects.map(({ opens, closes, moves }) => [opens, closes, moves])).toEqual(
      Array.from({ length: 2 }, () => [[], ['Урок 1'], []]),
    )
    expect(await states()).toEqual(['open', 'open'])
    await changeAccess(OWNER, change)
    expect(await states()).toEqual(['closed_by_school', 'open'])
    expect((await previewAccess(OWNER, change)).effects).toEqual([])
  })

  test('that revokes access updates the student count, and so does its undo', async () => {
    const { changeId } = await change({ action: 'revoke' }, [olena, ihor])
    expect(await studentCount()).toBe(0)
    await expect(viewCourse(olena, { courseId })).rejects.toThrow(new Refusal('not_found'))
    await undoAccess(OWNER, { changeId })
    expect(await studentCount()).toBe(2)
    const stranger = await addTestMember(ours, 'STUDENT', `new-${courseId}@access.test`)
    const given = await change({ action: 'give', until: at(day), moduleIds: null }, [stranger])
    expect(await studentCount()).toBe(3)
    await undoAccess(OWNER, given)
    expect(await studentCount()).toBe(2)
  })

  test('cannot be undone after a later change', async () => {
    const first = await change({ action: 'freeze', from: null, to: at(day) })
    await change({ action: 'unfreeze' })
    await expect(undoAccess(OWNER, first)).rejects.toThrow(new Refusal('conflict'))
  })

  test('that extends many grants shortens none; the end of a named grant may move earlier', async () => {
    await change({ action: 'extend', until: at(day) })
    const grantsOf = async () => (await listGrants(OWNER, { courseId, studentId: olena.membershipId })).grants
    const [endless] = await grantsOf()
    expect(endless?.endsAt).toBeNull()
    const target = { studentIds: [olena.membershipId], grantIds: [endless?.id ?? ''] }
    await changeAccess(OWNER, { courseId, target: target, change: { action: 'extend', until: at(-1000) } })
    expect(await states()).toEqual(['ended', 'ended'])
    await change({ action: 'extend', until: at(2 * day) })
    expect(await states()).toEqual(['open', 'open'])
    await change({ action: 'extend', until: at(day) })
    expect((await grantsOf())[0]?.endsAt?.getTime()).toBeGreaterThan(Date.now() + 1.5 * day)
  })

  test('back to the rules ends the overrides', async () => {
    await change({ action: 'close', lessonIds })
    await change({ action: 'shift', lessonIds: null, days: 3 })
    await change({ action: 'asRules', lessonIds: null })
    expect(await states()).toEqual(['open', 'open'])
  })

  test('is listed with its author', async () => {
    await change({ action: 'unfreeze' })
    const [line] = await listAccessChanges(OWNER, { courseId })
    expect(line).toMatchObject({ action: 'unfreeze', students: 1, by: 'owner Тест', undoneAt: null })
  })
})

describe('sources of access', () => {
  test('are revoked separately; other grants stay', async () => {
    const { groupId } = await group()
    await addToGroup(OWNER, { groupId, studentId: olena.membershipId })
    const { grants } = await listGrants(OWNER, { courseId, studentId: olena.membershipId })
    expect(grants.map(({ sourceType, name }) => [sourceType, name])).toEqual([
      ['manual', null],
      ['group', 'Осіння'],
    ])
    const [manual] = grants
    const target = { studentIds: [olena.membershipId], grantIds: [manual?.id ?? ''] }
    await changeAccess(OWNER, { courseId, target: target, change: { action: 'revoke' } })
    expect(await states()).toEqual(['open', 'open'])
    await removeFromGroup(OWNER, { groupId, studentId: olena.membershipId })
    await expect(viewCourse(olena, { courseId })).rejects.toThrow(new Refusal('not_found'))
    await addToGroup(OWNER, { groupId, studentId: olena.membershipId })
    expect(await states()).toEqual(['open', 'open'])
  })

  test('of a group begin and end with the group, also when its dates change', async () => {
    const { groupId } = await group(at(day))
    await change({ action: 'revoke' })
    await addToGroup(OWNER, { groupId, studentId: olena.membershipId })
    expect(await states()).toEqual(['not_started', 'not_started'])
    const dates = { name: 'Осіння', startAt: at(-day), timeZone: 'Europe/Kyiv' }
    await updateGroup(OWNER, { groupId, ...dates, endAt: null })
    expect(await states()).toEqual(['open', 'open'])
    await updateGroup(OWNER, { groupId, ...dates, endAt: at(-1000) })
    expect(await states()).toEqual(['ended', 'ended'])
    expect(await listGroups(OWNER, { courseId })).toMatchObject([{ id: groupId, members: 1, status: 'finished' }])
  })

  test('an override of a group applies to later members and to nobody else', async () => {
    const { groupId } = await group()
    await addToGroup(OWNER, { groupId, studentId: olena.membershipId })
    const action = { action: 'close', lessonIds: null } as const
    await changeAccess(OWNER, { courseId, target: { groupId }, change: action })
    const late = await addTestMember(ours, 'STUDENT', `late-${courseId}@access.test`)
    await addToGroup(OWNER, { groupId, studentId: late.membershipId })
    expect(await states(late)).toEqual(['closed_by_school', 'closed_by_school'])
    expect(await states(ihor)).toEqual(['open', 'open'])
    // Olena has a grant in addition to the group's.
    expect(await states()).toEqual(['open', 'open'])
  })
})

describe('the explanation of access', () => {
  const why = (index = 0) =>
    explainAccess(OWNER, { courseId, studentId: olena.membershipId, lessonId: lessonIds[index] ?? '' })

  test('equals the student’s access and names the author of an override', async () => {
    const input = { courseId, target: { studentIds: [olena.membershipId] }, note: 'Помилка в тексті' }
    await changeAccess(OWNER, { ...input, change: { action: 'close', lessonIds: lessonIds.slice(0, 1) } })
    expect(await why()).toMatchObject({
      student: { name: 'olena Тест' },
      access: { allow: false, reason: 'closed_by_school' },
      override: { effect: 'close', note: 'Помилка в тексті', by: 'owner Тест', scope: 'student' },
    })
    expect(await why(1)).toMatchObject({ access: { allow: true }, override: null, grants: [{ sourceType: 'manual' }] })
  })
})

describe('a preview', () => {
  const preview = (more: object) => previewCourse(OWNER, { courseId, ...more }, 'uk')
  const locked = async (more: object) => {
    const { modules } = await preview(more)
    return modules.flatMap(({ lessons }) => lessons.map(({ state }) => state))
  }

  test('shows a future day of a group across a clock change and writes nothing', async () => {
    const rule = { mode: 'afterStart', days: 1, time: '09:00', zone: 'Europe/Kyiv' } as const
    await inTenant(OWNER, (tx) =>
      tx
        .update(lesson)
        .set({ availability: rule })
        .where(eq(lesson.id, lessonIds[1] ?? '')),
    )
    const startAt = '2027-10-30T06:00:00.000Z'
    const dates = { startAt, endAt: null, timeZone: 'Europe/Kyiv' }
    const { groupId } = await createGroup(OWNER, { courseId, name: 'Нічна', ...dates })
    expect(await locked({ groupId, at: '2027-10-31T08:59' })).toEqual(['open', 'locked'])
    expect(await locked({ groupId, at: '2027-10-31T09:00' })).toEqual(['open', 'open'])
    expect(await locked({ groupId, at: '2027-10-30T08:59' })).toEqual(['locked', 'locked'])
    expect(await answerOf(preview({ lessonId: newId() }))).toBe('not_found')
    const read = await preview({ studentId: olena.membershipId, lessonId: lessonIds[0] })
    expect(read.lesson?.parts).toHaveLength(1)
    expect(await progressOf(olena)).toEqual([])
  })

  test('of a past moment ignores later events', async () => {
    await completeLesson(olena, { lessonId: lessonIds[0] ?? '' })
    await inTenant(OWNER, (tx) => tx.update(accessGrant).set({ startsAt: new Date('2026-01-01') }))
    expect(await locked({ studentId: olena.membershipId })).toEqual(['done', 'open'])
    expect(await locked({ studentId: olena.membershipId, at: '2026-02-01T09:00' })).toEqual(['open', 'open'])
  })

  test('lets a curator of another course preview the course, but not as one of its students', async () => {
    const { CURATOR } = ours.as
    const change = { courseId, studentId: olena.membershipId }
    expect(await answerOf(previewCourse(CURATOR, change, 'uk'))).toBe('forbidden')
    expect((await previewCourse(CURATOR, { courseId }, 'uk')).students).toEqual([])
  })
})

describe('homework', () => {
  const rule = (mode: 'taskAccepted' | 'manual') =>
    inTenant(OWNER, (tx) =>
      tx
        .update(lesson)
        .set({ completionRule: { mode } })
        .where(eq(lesson.id, lessonIds[0] ?? '')),
    )
  const note = (state: 'submitted' | 'accepted' | 'in_review', acceptedAt: Date | null) =>
    inTenant(OWNER, (tx) => {
      const facts = { studentId: olena.membershipId, lessonId: lessonIds[0] ?? '', state, acceptedAt }
      return recordHomework(tx, OWNER, facts)
    })

  test('completes its lesson and opens the next one; a reopening reverts both', async () => {
    await rule('taskAccepted')
    await inTenant(OWNER, (tx) => setTaskCount(tx, lessonIds[0] ?? '', 1))
    const after = { mode: 'afterPrevious', of: 'lesson', require: 'homeworkAccepted' } as const
    await inTenant(OWNER, (tx) =>
      tx
        .update(lesson)
        .set({ availability: after })
        .where(eq(lesson.id, lessonIds[1] ?? '')),
    )
    await note('submitted', null)
    expect(await states()).toEqual(['open', 'after_lesson'])
    const accepted = new Date()
    expect(await note('accepted', accepted)).toEqual({ completed: true })
    expect(await states()).toEqual(['open', 'open'])
    expect(await progressOf(olena)).toMatchObject([{ homeworkState: 'accepted', completedAt: accepted }])
    expect(await note('in_review', null)).toEqual({ completed: false })
    expect(await states()).toEqual(['open', 'after_lesson'])
  })

  test('does not change the completion of other lessons', async () => {
    await rule('manual')
    await completeLesson(olena, { lessonId: lessonIds[0] ?? '' })
    expect(await note('submitted', null)).toEqual({ completed: true })
  })
})

describe('permissions', () => {
  const MAY: readonly Role[] = ['OWNER', 'DIRECTOR', 'EXPERT']
  const actions: Record<string, (actor: Actor) => Promise<unknown>> = {
    getMatrix: (actor) => getMatrix(actor, { courseId }),
    explainAccess: (actor) =>
      explainAccess(actor, { courseId, studentId: olena.membershipId, lessonId: lessonIds[0] ?? '' }),
    listGrants: (actor) => listGrants(actor, { courseId, studentId: olena.membershipId }),
    listGroups: (actor) => listGroups(actor, { courseId }),
    listAccessChanges: (actor) => listAccessChanges(actor, { courseId }),
    createGroup: (actor) => group(at(0), actor),
    changeAccess: (actor) => change({ action: 'unfreeze' }, [olena], actor),
    previewCourse: (actor) => previewCourse(actor, { courseId, studentId: olena.membershipId }, 'uk'),
  }
  test.each(Object.entries(actions))('%s', async (_, action) => {
    for (const role of ROLES) {
      const answer = await answerOf(action(ours.as[role]))
      expect([role, answer]).toEqual([role, MAY.includes(role) ? 'done' : 'forbidden'])
    }
    const curator = await addTestMember(ours, 'CURATOR', `curator-${courseId}@access.test`)
    await putOnCourse(curator, courseId)
    expect(await answerOf(action(curator))).toBe('done')
    expect(await answerOf(action({ ...OWNER, plans: [] }))).toMatch(/done|plan_inactive/)
    expect(await answerOf(action(theirs.as.OWNER))).toBe('not_found')
  })

  test('refuses students, lessons and groups that are unknown or of another tenant', async () => {
    const unknown = { groupId: newId(), studentId: olena.membershipId }
    expect(await answerOf(addToGroup(OWNER, unknown))).toBe('not_found')
    expect(await answerOf(removeFromGroup(OWNER, unknown))).toBe('not_found')
    const foreign = await written(theirs.as.OWNER)
    const stranger = theirs.as.STUDENT.membershipId
    const dates = { startAt: at(0), endAt: null, timeZone: 'Europe/Kyiv' }
    const { groupId } = await createGroup(theirs.as.OWNER, { courseId: foreign.courseId, name: 'Чужа', ...dates })
    const changes: Omit<ChangeAccess, 'note'>[] = [
      { courseId, target: { studentIds: [stranger] }, change: { action: 'give', until: null, moduleIds: null } },
      {
        courseId,
        target: { studentIds: [olena.membershipId] },
        change: { action: 'open', lessonIds: foreign.lessonIds },
      },
      { courseId, target: { studentIds: [olena.membershipId] }, change: { action: 'addToGroup', groupId } },
      { courseId, target: { groupId }, change: { action: 'revoke' } },
    ]
    for (const change of changes) {
      expect(await answerOf(changeAccess(OWNER, change))).toBe('not_found')
      expect(await answerOf(previewAccess(OWNER, { ...change, note: '' }))).toBe('not_found')
    }
    const notes = await inTenant(OWNER, (tx) =>
      tx.select().from(accessOverride).where(eq(accessOverride.courseId, courseId)),
    )
    expect(notes).toEqual([])
  })
})

describe('the matrix', () => {
  test('shows the same access as the student’s page, page by page', async () => {
    await completeLesson(olena, { lessonId: lessonIds[0] ?? '' })
    await change({ action: 'close', lessonIds: lessonIds.slice(1) })
    const first = await getMatrix(OWNER, { courseId, limit: 1 })
    const second = await getMatrix(OWNER, { courseId, limit: 1, cursor: first.next ?? '' })
    expect(second.next).toBeNull()
    const rows = new Map([...first.rows, ...second.rows].map(({ email, cells }) => [email, cells]))
    expect(rows.get('olena@access.test')).toEqual([
      { state: 'done', homework: null, byHand: false },
      { state: 'locked', homework: null, byHand: true },
    ])
    expect(rows.get('ihor@access.test')?.map(({ state }) => state)).toEqual(['open', 'open'])
    expect((await getMatrix(OWNER, { courseId, q: 'olena@' })).rows).toHaveLength(1)
  })
})

async function written(owner: Actor) {
  const { courseId } = await createCourse(owner, { title: 'Доступ' })
  const { moduleId } = await addModule(owner, { courseId, title: 'Модуль' })
  const text = { type: 'paragraph', content: [{ type: 'text', text: 'Зміст' }] }
  const lessonIds: string[] = []
  for (const number of [1, 2]) {
    const blocks = { type: 'doc' as const, content: [text] }
    lessonIds.push((await addLesson(owner, { moduleId, title: `Урок ${number}`, blocks })).lessonId)
  }
  await publishCourse(owner, { courseId })
  return { courseId, lessonIds }
}

const group = (startAt = at(-day), actor = OWNER) =>
  createGroup(actor, { courseId, name: 'Осіння', startAt, endAt: null, timeZone: 'Europe/Kyiv' })

async function studentCount(): Promise<number | undefined> {
  const rows = await inTenant(OWNER, (tx) =>
    tx.select({ count: course.studentCount }).from(course).where(eq(course.id, courseId)),
  )
  return rows[0]?.count
}

const progressOf = ({ membershipId }: Actor) =>
  inTenant(OWNER, (tx) =>
    tx
      .select()
      .from(lessonProgress)
      .where(and(eq(lessonProgress.studentId, membershipId), eq(lessonProgress.courseId, courseId))),
  )

async function answerOf(done: Promise<unknown>): Promise<string> {
  try {
    await done
    return 'done'
  } catch (error) {
    if (error instanceof Refusal) return error.code
    throw error
  }
}
