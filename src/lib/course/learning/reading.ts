import { and, eq, sql } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { Locale } from '#lib/core/shared/locale.ts'
import { accessOf } from '../access/enrolment.ts'
import { mustStudy } from '../permission.ts'
import { LessonId } from '../schema.ts'
import { lesson } from '../table.ts'
import { type CompletionFacts, missingFor, ruleInForce } from './completion-rules.ts'
import { aboutCourse, loadMine, outlineOf } from './study-outline.ts'
import { filmsShown, hasTest, openParts } from './study-parts.ts'
import { lessonNote, lessonProgress } from './table.ts'

/**
 * A lesson for reading: its parts, materials, the student's note, what completes it, the outline with states, the
 * neighbours; and the visit is written down. A locked lesson comes without parts and with the reason in `access`.
 * `locale`
 * is the language of the words around the text. Refuses with forbidden; not_found without a grant.
 */
export async function openLesson(actor: Actor, input: { lessonId: string }, locale: Locale = actor.locale) {
  mustStudy(actor)
  const { lessonId } = LessonId.parse(input)
  return inTenant(actor, async (tx) => {
    const reading = await loadReading(tx, actor, lessonId)
    const { access, found, here, course, outline, index } = reading
    const order = outline.modules.flatMap((one) => one.lessons)
    const view = {
      course,
      ...outline,
      access,
      lesson: { id: lessonId, title: here.title, completedAt: here.completedAt, durationMinutes: here.durationMinutes },
      previous: order[index - 1] ?? null,
      next: order[index + 1] ?? null,
    }
    if (!access.allow) return { ...view, content: null }
    await recordVisit(tx, actor, lessonId, course.id)
    const { parts, materials } = await openParts(tx, actor, found.blocks, locale)
    const { facts, watched, note } = reading
    const completion = { mode: ruleInForce(facts), missing: missingFor(facts) }
    return { ...view, content: { parts, materials, completion, watched, note } }
  })
}

export type Reading = Awaited<ReturnType<typeof loadReading>>

/** A lesson, the student's progress in it, and its place in the course. Refuses with not_found. */
export async function loadReading(tx: Tx, actor: Actor, lessonId: string) {
  const [found] = await tx
    .select({
      courseId: lesson.courseId,
      blocks: lesson.publishedBlocks,
      ...completionFields,
      progress: progressFields,
      note: { text: lessonNote.text, version: lessonNote.version },
    })
    .from(lesson)
    .leftJoin(lessonProgress, mine(actor, lessonProgress))
    .leftJoin(lessonNote, mine(actor, lessonNote))
    .where(eq(lesson.id, lessonId))
  if (!found?.blocks) throw new Refusal('not_found')
  const study = await loadMine(tx, actor, found.courseId)
  const index = study.lessons.findIndex((one) => one.id === lessonId)
  const here = study.lessons[index]
  const now = new Date()
  let answers = accessOf(study, now)
  const access = answers[index]
  if (!here || !access) throw new Refusal('not_found')
  if (access.allow && !here.openedAt) {
    // The visit happens now, so what waits for it to be opened is open in this very answer.
    here.openedAt = now
    answers = accessOf(study, now)
  }
  return {
    course: aboutCourse(study),
    here,
    index,
    access,
    outline: outlineOf(study, answers),
    found: { courseId: found.courseId, blocks: found.blocks },
    facts: factsOf(found, found.progress),
    watched: found.progress?.watched ?? {},
    note: found.note ?? { text: '', version: 0 },
  }
}

/** Of a statement on `lesson`: what its completion asks for. */
export const completionFields = {
  rule: lesson.completionRule,
  taskCount: lesson.taskCount,
  films: filmsShown,
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

type Asked = Pick<CompletionFacts, 'rule' | 'taskCount' | 'hasTest'> & { films: Record<string, number | null> }
type Done = Pick<typeof lessonProgress.$inferSelect, keyof typeof progressFields>

/** Rows of the database as the completion rules want them. */
export function factsOf(asked: Asked, done: Done | null): CompletionFacts {
  const { rule, taskCount, films, hasTest } = asked
  return {
    rule,
    taskCount,
    hasTest,
    films: Object.entries(films).map(([fileId, duration]) => ({
      fileId,
      duration,
      ranges: done?.watched?.[fileId] ?? [],
    })),
    homeworkState: done?.homeworkState ?? null,
    homeworkAcceptedAt: done?.homeworkAcceptedAt ?? null,
    testPassedAt: done?.testPassedAt ?? null,
  }
}

/** Writes down that the student has the lesson before them. */
export async function recordVisit(tx: Tx, actor: Actor, lessonId: string, courseId: string): Promise<void> {
  await tx
    .insert(lessonProgress)
    .values({ tenantId: actor.tenantId, studentId: actor.membershipId, lessonId, courseId, lastOpenedAt: new Date() })
    .onConflictDoUpdate({
      target: [lessonProgress.tenantId, lessonProgress.studentId, lessonProgress.lessonId],
      set: { lastOpenedAt: sql`now()` },
    })
}

function mine(actor: Actor, table: typeof lessonProgress | typeof lessonNote) {
  return and(
    eq(table.tenantId, lesson.tenantId),
    eq(table.lessonId, lesson.id),
    eq(table.studentId, actor.membershipId),
  )
}
