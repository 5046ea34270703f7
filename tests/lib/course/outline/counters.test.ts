import { eq } from 'drizzle-orm'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { inTenant } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { LessonDoc } from '#lib/core/shared/lesson-doc.ts'
import { undoAccess } from '#lib/course/access/change-access.ts'
import { grantAccess } from '#lib/course/access/grants.ts'
import { revokeAccess } from '#lib/course/access/revoke.ts'
import type { AccessAction } from '#lib/course/access/schema.ts'
import { completeLesson, reopenLesson } from '#lib/course/learning/completion.ts'
import { accessGrant, lessonProgress } from '#lib/course/learning/table.ts'
import { discardLesson, publishLesson } from '#lib/course/lesson/lesson.ts'
import { saveLesson } from '#lib/course/lesson/save.ts'
import { moveLesson, moveModule } from '#lib/course/outline/arrange.ts'
import { addModule, getOutline } from '#lib/course/outline/outline.ts'
import { deleteLesson, deleteModule, restoreLesson, restoreModule } from '#lib/course/outline/trash.ts'
import { archiveCourse, publishCourse, restoreCourse, unpublishCourse } from '#lib/course/publish.ts'
import { course, courseModule, lesson } from '#lib/course/table.ts'
import { invitation } from '#lib/student/table.ts'
import { createCourse } from '../../../setup/parsed/course.ts'
import { changeAccess, inviteToCourse, listCourseStudents } from '../../../setup/parsed/course-access.ts'
import { addLesson } from '../../../setup/parsed/course-outline.ts'
import { addTestMember, createTestTenant, type TestTenant } from '../../../setup/tenants.ts'

const TEXT: LessonDoc = {
  type: 'doc',
  content: [{ type: 'paragraph', content: [{ type: 'text', text: 'Зміст' }] }],
}
const STUDENTS = ['anna@count.test', 'bohdan@count.test']
const ACTIONS = [
  'addModule',
  'addLesson',
  'addLesson',
  'addEmpty',
  'deleteModule',
  'restoreModule',
  'deleteLesson',
  'moveLesson',
  'restoreLesson',
  'moveModule',
  'publish',
  'publish',
  'publishLesson',
  'saveLesson',
  'discardLesson',
  'archive',
  'unpublish',
  'restore',
  'invite',
  'invite',
  'grant',
  'revoke',
  'give',
  'take',
  'undo',
  'complete',
  'complete',
  'reopen',
] as const
type Step = { action: (typeof ACTIONS)[number]; which: number; by: -1 | 1 }

let ours: TestTenant
let students: Actor[]
beforeAll(async () => {
  ours = await createTestTenant()
  students = []
  for (const email of STUDENTS) students.push(await addTestMember(ours, 'STUDENT', email))
})

test('counters of a course equal a recount after any sequence of changes', async () => {
  const step = fc.record({
    action: fc.constantFrom(...ACTIONS),
    which: fc.nat(20),
    by: fc.constantFrom<(-1 | 1)[]>(-1, 1),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 25 }), async (steps) => {
      await deleteInvitations()
      changed.length = 0
      const { courseId } = await createCourse(ours.as.OWNER, { title: 'Лічильник' })
      for (const step of steps) await take(courseId, step)
      await expectCounted(courseId)
    }),
    { numRuns: 25 },
  )
}, 90_000)

test('counters stay correct under concurrent changes', async () => {
  await deleteInvitations()
  const { OWNER } = ours.as
  const { courseId } = await createCourse(OWNER, { title: 'Усе водночас' })
  const { moduleId } = await addModule(OWNER, { courseId, title: 'Модуль' })
  await addModule(OWNER, { courseId, title: 'Другий' })
  const made = await Promise.all(
    Array.from({ length: 6 }, (_, n) => addLesson(OWNER, { moduleId, title: `Урок ${n}`, blocks: TEXT })),
  )
  await Promise.all([publishCourse(OWNER, { courseId }), publishCourse(OWNER, { courseId })])
  const both = STUDENTS.flatMap((email) => [email, email])
  await Promise.all(both.map((email) => inviteToCourse(OWNER, { courseId, email })))
  const moves = made.flatMap(({ lessonId }) => [
    moveLesson(OWNER, { lessonId, direction: 1 }),
    moveLesson(OWNER, { lessonId, direction: -1 }),
  ])
  await Promise.all(moves)
  const [{ lessonId } = { lessonId: '' }] = made
  const [student] = students
  if (!student) throw new Error('there are two students')
  await Promise.all([1, 2, 3].map(() => completeLesson(student, { lessonId })))
  await expectCounted(courseId)
  const outline = await getOutline(OWNER, { courseId })
  expect(outline.flatMap((module) => module.lessons).length).toBe(6)
  const { items } = await listCourseStudents(OWNER, { courseId })
  expect(items.map(({ completed, total }) => [completed, total]).sort()).toEqual([
    [0, 6],
    [1, 6],
  ])
  await Promise.all(items.map(({ studentId }) => revokeAccess(OWNER, { courseId, studentId })))
  await expectCounted(courseId)
})

// The limit of ten emails per day for one recipient is too low for this test.
const deleteInvitations = () => inTenant(ours.as.OWNER, (tx) => tx.delete(invitation))

/** One action on an object of the course; a refused one counts too. */
async function take(courseId: string, { action, which, by }: Step): Promise<void> {
  const { OWNER } = ours.as
  const rows = await read(courseId)
  const moduleId = pick(rows.modules, which)?.id
  const lesson = pick(rows.lessons, which)
  const student = pick(students, which)
  if (!student) return
  const email = STUDENTS[which % STUDENTS.length] ?? ''
  const studentId = student.membershipId
  const lessonId = lesson?.id
  const actions: Record<Step['action'], () => unknown> = {
    addModule: () => addModule(OWNER, { courseId, title: 'Модуль' }),
    addLesson: () => moduleId && addLesson(OWNER, { moduleId, title: 'Урок', blocks: TEXT }),
    addEmpty: () => moduleId && addLesson(OWNER, { moduleId, title: 'Порожній' }),
    deleteModule: () => moduleId && deleteModule(OWNER, { moduleId }),
    restoreModule: () => moduleId && restoreModule(OWNER, { moduleId }),
    moveModule: () => moduleId && moveModule(OWNER, { moduleId, direction: by }),
    deleteLesson: () => lessonId && deleteLesson(OWNER, { lessonId }),
    restoreLesson: () => lessonId && restoreLesson(OWNER, { lessonId }),
    moveLesson: () => lessonId && moveLesson(OWNER, { lessonId, direction: by }),
    publishLesson: () => lessonId && publishLesson(OWNER, { lessonId }),
    discardLesson: () => lessonId && discardLesson(OWNER, { lessonId }),
    saveLesson: () =>
      lesson &&
      saveLesson(OWNER, {
        lessonId: lesson.id,
        version: lesson.version,
        title: 'Інший',
        change: { at: 0, remove: 1, insert: TEXT.content },
      }),
    publish: () => publishCourse(OWNER, { courseId }),
    unpublish: () => unpublishCourse(OWNER, { courseId }),
    archive: () => archiveCourse(OWNER, { courseId }),
    restore: () => restoreCourse(OWNER, { courseId }),
    invite: () => inviteToCourse(OWNER, { courseId, email }),
    grant: () => grantAccess(OWNER, { courseId, studentId }),
    revoke: () => revokeAccess(OWNER, { courseId, studentId }),
    give: () => change(courseId, studentId, { action: 'give', until: null, moduleIds: null }),
    take: () => change(courseId, studentId, { action: 'revoke' }),
    undo: () => changed.length > 0 && undoAccess(OWNER, { changeId: changed.pop() ?? '' }),
    complete: () => lessonId && completeLesson(student, { lessonId }),
    reopen: () => lessonId && reopenLesson(student, { lessonId }),
  }
  try {
    await actions[action]()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
  }
}

const changed: string[] = []

async function change(courseId: string, studentId: string, action: AccessAction): Promise<void> {
  const input = { courseId, target: { studentIds: [studentId] }, change: action }
  changed.push((await changeAccess(ours.as.OWNER, input)).changeId)
}

async function expectCounted(courseId: string): Promise<void> {
  const { facts, modules, lessons, grants, progress } = await read(courseId)
  const moduleOf = new Map(modules.map((module) => [module.id, module]))
  const living = lessons.filter((lesson) => !lesson.deletedAt && !moduleOf.get(lesson.moduleId)?.deletedAt)
  const shown = living.filter((lesson) => lesson.publishedVersion !== null)
  const studying = new Set(grants.filter((grant) => !grant.revokedAt).map((grant) => grant.studentId))
  expect(facts).toEqual({
    lessonCount: living.length,
    publishedLessonCount: shown.length,
    studentCount: studying.size,
  })
  const { items, count } = await listCourseStudents(ours.as.OWNER, { courseId })
  expect([count, items.length]).toEqual([studying.size, studying.size])
  for (const { studentId, completed, total } of items) {
    const done = progress.filter((row) => row.studentId === studentId && row.completedAt)
    const visible = done.filter((row) => shown.some((lesson) => lesson.id === row.lessonId))
    expect({ completed, total }).toEqual({ completed: visible.length, total: shown.length })
  }
}

function read(courseId: string) {
  return inTenant(ours.as.OWNER, async (tx) => {
    const { lessonCount, publishedLessonCount, studentCount } = course
    const counters = { lessonCount, publishedLessonCount, studentCount }
    const [facts] = await tx.select(counters).from(course).where(eq(course.id, courseId))
    const modules = await tx.select().from(courseModule).where(eq(courseModule.courseId, courseId))
    const lessons = await tx.select().from(lesson).where(eq(lesson.courseId, courseId))
    const grants = await tx.select().from(accessGrant).where(eq(accessGrant.courseId, courseId))
    const progress = await tx.select().from(lessonProgress).where(eq(lessonProgress.courseId, courseId))
    return { facts, modules, lessons, grants, progress }
  })
}

const pick = <T>(list: readonly T[], which: number): T | undefined => list[which % Math.max(1, list.length)]
