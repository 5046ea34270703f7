import { and, eq, inArray, isNull } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { addDays } from '#lib/core/shared/time-zone.ts'
import { insertCourse, requireCoursesFit } from '../insert-course.ts'
import { studyGroup } from '../learning/table.ts'
import { attachCourseFiles } from '../lesson/pictures.ts'
import { requireCourseEditor, requireCourseViewer } from '../permission.ts'
import type { AccessRule } from '../schema.ts'
import { course, courseModule, courseStaff, lesson } from '../table.ts'
import { type CopyTasks, type CopyTests, copyLessons, copyTitle, type LessonCopy } from './duplicate.ts'
import { lockCourse, recountLessons } from './lesson-counts.ts'
import { lessonOrders, moduleOrder, requireRow } from './order.ts'
import { ruleDates, shiftRule } from './rules.ts'
import type { DuplicateCourse } from './schema.ts'

/** The dates of a course that a new run would move: the first one, their number, and the number of groups. */
export interface CourseDates {
  first: Date | null
  count: number
  groups: number
}

/** Dates of a course for a new run. Refuses with forbidden, not_found. */
export async function getDates(actor: Actor, input: { courseId: string }): Promise<CourseDates> {
  requireCourseViewer(actor)
  const { courseId } = input
  return inTenant(actor, async (tx) => {
    const { accessStart, accessEnd } = await loadCourse(tx, courseId)
    const rules = await loadRules(tx, courseId)
    const groups = await loadGroups(tx, courseId)
    const ownDates = [accessStart, accessEnd, ...groups.flatMap(({ startAt, endAt }) => [startAt, endAt])]
    const dates = [...ownDates.filter((date) => date !== null), ...rules.flatMap(ruleDates)]
    const first = dates.length > 0 ? new Date(Math.min(...dates.map((date) => date.getTime()))) : null
    return { first, count: dates.length, groups: groups.length }
  })
}

/** The copy functions of the modules that depend on this one. */
export interface CopyParts {
  copyTasks: CopyTasks
  copyTests: CopyTests
}

const NO_TESTS: ReadonlyMap<string, string> = new Map()

/**
 * Copies a course as a draft: settings, modules, lesson drafts, homework, tests, staff; no students or progress. `shiftDays`
 * moves all dates by days at the same local time in the actor's zone (of a group in its own); `groups` copies active
 * groups without members. Refuses with forbidden, plan_inactive, not_found; with unprocessable when the plan's number
 * of courses is used up.
 */
export async function duplicateCourse(
  actor: Actor,
  input: DuplicateCourse,
  parts: CopyParts,
): Promise<{ courseId: string; slug: string }> {
  requireCourseEditor(actor)
  return inTenant(actor, async (tx) => {
    const created = await copyCourse(tx, actor, input, parts)
    await requireCoursesFit(tx, actor)
    return created
  })
}

/** As duplicateCourse, in a transaction at whose end `requireCoursesFit` has to follow. */
export async function copyCourse(
  tx: Tx,
  actor: Actor,
  input: DuplicateCourse,
  { copyTasks, copyTests }: CopyParts,
): Promise<{ courseId: string; slug: string }> {
  const { courseId: from, title, tasks, tests, staff, groups, shiftDays } = input
  await lockCourse(tx, from)
  const row = await loadCourse(tx, from)
  const shiftDate = (at: Date | null, zone: string) => at && (shiftDays === 0 ? at : addDays(at, shiftDays, zone))
  const created = await insertCourse(tx, actor, {
    ...copiedSettings(row),
    title: title ?? copyTitle(actor, row.title),
    accessStart: shiftDate(row.accessStart, actor.timeZone),
    accessEnd: shiftDate(row.accessEnd, actor.timeZone),
  })
  const { courseId } = created
  const shift = (rule: AccessRule) => (shiftDays === 0 ? rule : shiftRule(rule, shiftDays, actor.timeZone))
  const copies = await copyModules(tx, actor, { from, courseId, shift })
  const shiftTest = (at: Date) => shiftDate(at, actor.timeZone) ?? at
  const copiedTests = tests ? await copyTests(tx, actor, { from, courseId, shift: shiftTest }) : NO_TESTS
  await copyLessons(tx, actor, { courseId, copies, copyTasks: tasks ? copyTasks : null, tests: copiedTests, shift })
  await shiftLessons(tx, courseId, shift)
  if (staff) await copyStaff(tx, actor, from, courseId)
  if (groups) {
    for (const { name, timeZone, ...group } of await loadGroups(tx, from)) {
      const startAt = shiftDate(group.startAt, timeZone) ?? group.startAt
      const about = { tenantId: actor.tenantId, courseId, name, timeZone }
      await tx.insert(studyGroup).values({ ...about, startAt, endAt: shiftDate(group.endAt, timeZone) })
    }
  }
  await recountLessons(tx, courseId)
  await attachCourseFiles(tx, actor, courseId)
  return created
}

async function loadCourse(tx: Tx, courseId: string) {
  const [row] = await tx.select().from(course).where(eq(course.id, courseId))
  return requireRow(row)
}

/** The columns that are copied. */
function copiedSettings(row: typeof course.$inferSelect) {
  const { tenantId: _, id: _1, slug: _2, status: _3, version: _4, ...rest } = row
  const { createdAt: _5, updatedAt: _6, publishedAt: _7, archivedAt: _8, ...about } = rest
  const { lessonCount: _9, publishedLessonCount: _10, studentCount: _11, ...settings } = about
  return settings
}

async function loadRules(tx: Tx, courseId: string): Promise<AccessRule[]> {
  const modules = await tx
    .select({ rule: courseModule.availability })
    .from(courseModule)
    .where(and(eq(courseModule.courseId, courseId), isNull(courseModule.deletedAt)))
  const lessons = await tx
    .select({ rule: lesson.availability })
    .from(lesson)
    .where(and(eq(lesson.courseId, courseId), isNull(lesson.deletedAt)))
  return [...modules, ...lessons].map(({ rule }) => rule)
}

function loadGroups(tx: Tx, courseId: string) {
  const { name, startAt, endAt, timeZone } = studyGroup
  return tx
    .select({ name, startAt, endAt, timeZone })
    .from(studyGroup)
    .where(and(eq(studyGroup.courseId, courseId), isNull(studyGroup.archivedAt)))
}

async function copyModules(
  tx: Tx,
  actor: Actor,
  { from, courseId, shift }: { from: string; courseId: string; shift: (rule: AccessRule) => AccessRule },
): Promise<LessonCopy[]> {
  const order = await moduleOrder(tx, from)
  if (order.length === 0) return []
  const rows = await tx.select().from(courseModule).where(eq(courseModule.courseId, from))
  const byId = new Map(rows.map((row) => [row.id, row]))
  const newModuleIds = new Map(order.map((id) => [id, newId()]))
  await tx.insert(courseModule).values(
    order.flatMap((id, position) => {
      const row = byId.get(id)
      const { title, description, hidden } = row ?? {}
      if (!row || title === undefined) return []
      const base = { tenantId: actor.tenantId, id: newModuleIds.get(id) ?? newId(), courseId, position }
      return [{ ...base, title, description, hidden, availability: shift(row.availability) }]
    }),
  )
  const orders = await lessonOrders(tx, order)
  return Object.entries(orders).flatMap(([moduleId, ids]) =>
    ids.map((id, position) => ({
      from: id,
      to: newId(),
      moduleId: newModuleIds.get(moduleId) ?? moduleId,
      title: null,
      position,
    })),
  )
}

/** Lessons with equal rules share a statement, selected by id: a moved date may equal another lesson's old date. */
async function shiftLessons(tx: Tx, courseId: string, shift: (rule: AccessRule) => AccessRule): Promise<void> {
  const rows = await tx
    .select({ id: lesson.id, rule: lesson.availability })
    .from(lesson)
    .where(eq(lesson.courseId, courseId))
  const dated = rows.filter(({ rule }) => ruleDates(rule).length > 0)
  for (const group of Map.groupBy(dated, ({ rule }) => JSON.stringify(rule)).values()) {
    const [{ rule } = {}] = group
    const ids = group.map(({ id }) => id)
    if (rule)
      await tx
        .update(lesson)
        .set({ availability: shift(rule) })
        .where(inArray(lesson.id, ids))
  }
}

async function copyStaff(tx: Tx, actor: Actor, from: string, courseId: string): Promise<void> {
  const { memberId, role } = courseStaff
  const rows = await tx.select({ memberId, role }).from(courseStaff).where(eq(courseStaff.courseId, from))
  if (rows.length === 0) return
  await tx
    .insert(courseStaff)
    .values(rows.map((row) => ({ ...row, tenantId: actor.tenantId, courseId })))
    .onConflictDoNothing()
}
