import { sql } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { announceProgress } from '../live.ts'
import { mustStudy } from '../permission.ts'
import { LessonId } from '../schema.ts'
import { missingFor, ruleInForce } from './completion-rules.ts'
import { countProgress } from './progress.ts'
import { loadReading, type Reading } from './reading.ts'
import { lessonProgress } from './table.ts'

export interface Completion {
  courseId: string
  completedAt: Date | null
  completed: number
  total: number
  nextLessonId: string | null
}

/**
 * Marks a lesson as done; again keeps the first moment. Refuses with forbidden (locked, with the reason), not_found, or
 * unprocessable while its rule asks for more, which stands in `data.missing`.
 */
export async function completeLesson(actor: Actor, input: { lessonId: string }): Promise<Completion> {
  mustStudy(actor)
  const { lessonId } = LessonId.parse(input)
  return inTenant(actor, async (tx) => {
    const reading = await loadReading(tx, actor, lessonId)
    mustBeOpen(reading)
    const missing = reading.here.completedAt ? null : missingFor(reading.facts)
    if (missing) throw new Refusal('unprocessable', { fields: { form: ['lesson_unfinished'] }, data: { missing } })
    return markLesson(tx, actor, reading, true)
  })
}

/** Takes the mark back, where the student puts it. Refuses as completeLesson, and where a rule completes the lesson. */
export async function reopenLesson(actor: Actor, input: { lessonId: string }): Promise<Completion> {
  mustStudy(actor)
  const { lessonId } = LessonId.parse(input)
  return inTenant(actor, async (tx) => {
    const reading = await loadReading(tx, actor, lessonId)
    mustBeOpen(reading)
    if (ruleInForce(reading.facts) !== 'manual') throw new Refusal('unprocessable')
    return markLesson(tx, actor, reading, false)
  })
}

/** Refuses with forbidden, and the reason, while the lesson is locked. */
export function mustBeOpen({ access }: Reading): void {
  if (!access.allow) throw new Refusal('forbidden', { data: { because: access.because } })
}

/** Writes the mark of a lesson that may have it, and tells the course's staff: the last statement of the transaction. */
export async function markLesson(tx: Tx, actor: Actor, reading: Reading, done: boolean): Promise<Completion> {
  const { here, outline, index } = reading
  const { courseId } = reading.found
  const { tenantId, membershipId: studentId } = actor
  const [row] = await tx
    .insert(lessonProgress)
    .values({ tenantId, studentId, lessonId: here.id, courseId, completedAt: done ? new Date() : null })
    .onConflictDoUpdate({
      target: [lessonProgress.tenantId, lessonProgress.studentId, lessonProgress.lessonId],
      set: { completedAt: done ? sql`coalesce(${lessonProgress.completedAt}, now())` : null },
    })
    .returning({ completedAt: lessonProgress.completedAt })
  const { completed, total } = await countProgress(tx, studentId, courseId)
  const next = outline.modules.flatMap((one) => one.lessons)[index + 1] ?? null
  await announceProgress(actor, courseId, { completed, total })
  return { courseId, completedAt: row?.completedAt ?? null, completed, total, nextLessonId: next?.id ?? null }
}
