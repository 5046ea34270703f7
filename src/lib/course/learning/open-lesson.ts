import { and, eq, sql } from 'drizzle-orm'
import { inTenant, type Tx, writeWithCommit } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { Locale } from '#lib/core/shared/locale.ts'
import { outlineAccessOf } from '../access/enrolment.ts'
import { requireStudent } from '../permission.ts'
import { lesson } from '../table.ts'
import { type CompletionFacts, effectiveRule, findMissingStep } from './completion-rules.ts'
import { hasTest, lessonParts, loadLessonFiles, mediaInLesson } from './lesson-parts.ts'
import { courseOfLesson } from './lesson-terms.ts'
import { courseSummary, loadOwnEnrolment, studentOutline } from './student-outline.ts'
import { lessonNote, lessonProgress } from './table.ts'

/**
 * Opens a lesson for a student and records the visit: parts, materials, the student's note, completion state, the
 * outline and the adjacent lessons. A locked lesson is returned without parts and with the reason in `access`. `locale`
 * is the language of the labels around the text. Refuses with forbidden; not_found without a grant.
 */
export async function openLesson(actor: Actor, input: { lessonId: string }, locale: Locale = actor.locale) {
  requireStudent(actor)
  const { lessonId } = input
  return inTenant(actor, async (tx) => {
    const [context, files] = await Promise.all([
      loadLessonContext(tx, actor, lessonId),
      loadLessonFiles(tx, actor, lessonId),
    ])
    const { access, found: row, here, course, outline, index } = context
    const order = outline.modules.flatMap((module) => module.lessons)
    const view = {
      course,
      ...outline,
      access,
      lesson: { id: lessonId, title: here.title, completedAt: here.completedAt, durationMinutes: here.durationMinutes },
      previous: order[index - 1] ?? null,
      next: order[index + 1] ?? null,
    }
    if (!access.allow) return { ...view, content: null }
    const { parts, materials } = lessonParts(actor, row.blocks, files, locale)
    if (!actor.impersonation) writeWithCommit(visitOf(tx, actor, lessonId, course.id))
    const { facts, watched, note } = context
    const completion = { mode: effectiveRule(facts), missing: findMissingStep(facts) }
    const { isFirstVisit } = context
    return { ...view, content: { parts, materials, completion, watched, note, isFirstVisit } }
  })
}

export type LessonContext = Awaited<ReturnType<typeof loadLessonContext>>

/** Loads a lesson with the student's progress and its position in the course. Refuses with not_found. */
export async function loadLessonContext(tx: Tx, actor: Actor, lessonId: string) {
  const rows = tx
    .select({
      courseId: lesson.courseId,
      blocks: lesson.publishedBlocks,
      ...completionFields,
      progress: progressFields,
      note: { text: lessonNote.text, version: lessonNote.version },
    })
    .from(lesson)
    .leftJoin(lessonProgress, joinOwn(actor, lessonProgress))
    .leftJoin(lessonNote, joinOwn(actor, lessonNote))
    .where(eq(lesson.id, lessonId))
  const [[row], enrolment] = await Promise.all([rows, loadOwnEnrolment(tx, actor, courseOfLesson(lessonId))])
  if (!row?.blocks) throw new Refusal('not_found')
  const index = enrolment.lessons.findIndex((item) => item.id === lessonId)
  const here = enrolment.lessons[index]
  const now = new Date()
  let results = outlineAccessOf(enrolment, now)
  const access = results[index]
  if (!here || !access) throw new Refusal('not_found')
  const isFirstVisit = access.allow && !here.openedAt
  if (isFirstVisit) {
    // The visit happens now: rules that depend on this opening already apply to this response.
    here.openedAt = now
    results = outlineAccessOf(enrolment, now)
  }
  return {
    course: courseSummary(enrolment),
    isFirstVisit,
    here,
    index,
    access,
    outline: studentOutline(enrolment, results),
    found: { courseId: row.courseId, blocks: row.blocks },
    facts: completionFactsOf(row, row.progress),
    watched: row.progress?.watched ?? {},
    note: row.note ?? { text: '', version: 0 },
  }
}

/** Columns that completion depends on, for a statement on `lesson`. */
export const completionFields = {
  rule: lesson.completionRule,
  taskCount: lesson.taskCount,
  media: mediaInLesson,
  hasTest,
}

export const progressFields = {
  openedAt: lessonProgress.openedAt,
  completedAt: lessonProgress.completedAt,
  watched: lessonProgress.watched,
  homeworkState: lessonProgress.homeworkState,
  homeworkAcceptedAt: lessonProgress.homeworkAcceptedAt,
  testPassedAt: lessonProgress.testPassedAt,
}

type CompletionRow = Pick<CompletionFacts, 'rule' | 'taskCount' | 'hasTest'> & { media: Record<string, number | null> }
type ProgressRow = Pick<typeof lessonProgress.$inferSelect, keyof typeof progressFields>

/** Converts database rows to the input of the completion rules. */
export function completionFactsOf(lessonRow: CompletionRow, progress: ProgressRow | null): CompletionFacts {
  const { rule, taskCount, media, hasTest } = lessonRow
  return {
    rule,
    taskCount,
    hasTest,
    media: Object.entries(media).map(([fileId, duration]) => ({
      fileId,
      duration,
      ranges: progress?.watched?.[fileId] ?? [],
    })),
    homeworkState: progress?.homeworkState ?? null,
    homeworkAcceptedAt: progress?.homeworkAcceptedAt ?? null,
    testPassedAt: progress?.testPassedAt ?? null,
  }
}

/** The statement that records that the student opened the lesson. */
export function visitOf(tx: Tx, actor: Actor, lessonId: string, courseId: string) {
  return tx
    .insert(lessonProgress)
    .values({ tenantId: actor.tenantId, studentId: actor.membershipId, lessonId, courseId, lastOpenedAt: new Date() })
    .onConflictDoUpdate({
      target: [lessonProgress.tenantId, lessonProgress.studentId, lessonProgress.lessonId],
      set: { lastOpenedAt: sql`now()` },
    })
}

function joinOwn(actor: Actor, table: typeof lessonProgress | typeof lessonNote) {
  return and(
    eq(table.tenantId, lesson.tenantId),
    eq(table.lessonId, lesson.id),
    eq(table.studentId, actor.membershipId),
  )
}
