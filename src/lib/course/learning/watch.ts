import { and, eq, gt, sql } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { requireStudent } from '../permission.ts'
import type { WatchedRanges } from '../schema.ts'
import { lesson } from '../table.ts'
import { type LessonCompletion, requireOpenLesson, setCompletion } from './completion.ts'
import { effectiveRule, findMissingStep, type MissingStep } from './completion-rules.ts'
import { completionFactsOf, completionFields, loadLessonContext, progressFields, visitOf } from './open-lesson.ts'
import { type SaveWatched, WATCH_LIMITS } from './schema.ts'
import { lessonProgress } from './table.ts'
import { clampRanges, isPlausible, mergeRanges, type Ranges, watchedShare } from './watch-rules.ts'

/** A visit may report progress this long, as long as the media addresses are valid; completion checks access again. */
const VISIT_HOURS = 12

export interface SavedProgress {
  /** By media file, 0 to 1: the stored share. */
  shares: Record<string, number>
  missing: MissingStep | null
  completedAt: Date | null
  /** The completion that this report caused, if any. */
  completion: LessonCompletion | null
}

/**
 * Merges reported ranges into the stored ones under a row lock, so that two devices do not overwrite each other. Media
 * that the lesson no longer shows is ignored. Completes the lesson once its rule is met. Refuses with forbidden
 * (locked, with the reason), not_found, invalid, or unprocessable for an implausible total.
 */
export async function saveWatched(actor: Actor, input: SaveWatched): Promise<SavedProgress> {
  requireStudent(actor)
  const { lessonId, watched, durations } = input
  return inTenant(actor, async (tx) => {
    const locked = await lockProgress(tx, actor, lessonId)
    const { merged, changed } = mergeWatched(locked.progress.watched ?? {}, watched, locked.media, durations)
    if (changed) {
      requirePlausible(merged, locked.progress.openedAt)
      await tx
        .update(lessonProgress)
        .set({ watched: merged })
        .where(and(eq(lessonProgress.studentId, actor.membershipId), eq(lessonProgress.lessonId, lessonId)))
    }
    const durationByFile = Object.fromEntries(
      Object.entries(locked.media).map(([fileId, seconds]) => [fileId, seconds ?? durations[fileId] ?? null]),
    )
    const facts = completionFactsOf({ ...locked, media: durationByFile }, { ...locked.progress, watched: merged })
    const missing = findMissingStep(facts)
    const due = !locked.progress.completedAt && !missing && effectiveRule(facts) === 'watched'
    const completion = due ? await completeIfOpen(tx, actor, lessonId) : null
    return {
      shares: Object.fromEntries(
        facts.media.map(({ fileId, ranges, duration }) => [fileId, watchedShare(ranges, duration)]),
      ),
      missing,
      completedAt: completion?.completedAt ?? locked.progress.completedAt,
      completion,
    }
  })
}

type LockedProgress = Awaited<ReturnType<typeof findLockedProgress>>

async function lockProgress(tx: Tx, actor: Actor, lessonId: string): Promise<NonNullable<LockedProgress>> {
  const visiting = await findLockedProgress(tx, actor, lessonId)
  if (visiting) return visiting
  const reading = await loadLessonContext(tx, actor, lessonId)
  requireOpenLesson(reading)
  await visitOf(tx, actor, lessonId, reading.found.courseId)
  const locked = await findLockedProgress(tx, actor, lessonId)
  if (!locked) throw new Refusal('not_found')
  return locked
}

async function findLockedProgress(tx: Tx, actor: Actor, lessonId: string) {
  const [locked] = await tx
    .select({ ...completionFields, progress: progressFields })
    .from(lessonProgress)
    .innerJoin(lesson, and(eq(lesson.tenantId, lessonProgress.tenantId), eq(lesson.id, lessonProgress.lessonId)))
    .where(
      and(
        eq(lessonProgress.studentId, actor.membershipId),
        eq(lessonProgress.lessonId, lessonId),
        gt(lessonProgress.lastOpenedAt, sql`now() - make_interval(hours => ${VISIT_HOURS})`),
      ),
    )
    .for('update', { of: lessonProgress })
  return locked
}

function mergeWatched(
  stored: WatchedRanges,
  reported: Record<string, Ranges>,
  durationByFile: Record<string, number | null>,
  durations: Record<string, number>,
) {
  const merged: WatchedRanges = { ...stored }
  for (const [fileId, ranges] of Object.entries(reported)) {
    const durationSeconds = durationByFile[fileId]
    if (durationSeconds === undefined) continue
    const within = clampRanges(ranges, durationSeconds ?? durations[fileId] ?? null)
    merged[fileId] = mergeRanges(stored[fileId] ?? [], within)
  }
  return { merged, changed: JSON.stringify(merged) !== JSON.stringify(stored) }
}

function requirePlausible(watched: WatchedRanges, openedAt: Date): void {
  const isTooFragmented = Object.values(watched).some((ranges) => ranges.length > WATCH_LIMITS.ranges)
  if (isTooFragmented || !isPlausible(watched, openedAt, new Date())) throw new Refusal('unprocessable')
}

/** Null when the lesson has been locked since it was opened: the ranges are stored, the lesson is not completed. */
async function completeIfOpen(tx: Tx, actor: Actor, lessonId: string): Promise<LessonCompletion | null> {
  const reading = await loadLessonContext(tx, actor, lessonId)
  return reading.access.allow ? setCompletion(tx, actor, reading, true) : null
}
