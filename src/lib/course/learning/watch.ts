import { and, eq, gt, sql } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { mustStudy } from '../permission.ts'
import type { WatchedRanges } from '../schema.ts'
import { lesson } from '../table.ts'
import { type Completion, markLesson, mustBeOpen } from './completion.ts'
import { type Missing, missingFor, ruleInForce } from './completion-rules.ts'
import { completionFields, factsOf, loadReading, progressFields, recordVisit } from './reading.ts'
import { SaveWatched, WATCH_LIMITS } from './schema.ts'
import { lessonProgress } from './table.ts'
import { clampRanges, isPossible, mergeRanges, type Ranges, shareOf } from './watch-rules.ts'

/** Whoever was let in may finish watching, as with the film's addresses; completing asks again. */
const VISIT_HOURS = 12

export interface Watched {
  /** By film, 0 to 1: what the school knows now. */
  shares: Record<string, number>
  missing: Missing | null
  completedAt: Date | null
  /** What changed for the course when this report completed the lesson. */
  completion: Completion | null
}

/**
 * Adds what was watched to what the school knows: merged under the row's lock, so that two devices never take from each
 * other. Films that the lesson no longer shows are passed over. Completes the lesson once its rule holds. Refuses with
 * forbidden (locked, with the reason), not_found, invalid, or unprocessable for more than anybody can have watched.
 */
export async function saveWatched(actor: Actor, input: SaveWatched): Promise<Watched> {
  mustStudy(actor)
  const { lessonId, watched, durations } = SaveWatched.parse(input)
  return inTenant(actor, async (tx) => {
    const held = await holdProgress(tx, actor, lessonId)
    const { merged, changed } = added(held.progress.watched ?? {}, watched, held.films, durations)
    if (changed) {
      mustBePossible(merged, held.progress.openedAt)
      await tx
        .update(lessonProgress)
        .set({ watched: merged })
        .where(and(eq(lessonProgress.studentId, actor.membershipId), eq(lessonProgress.lessonId, lessonId)))
    }
    const films = Object.fromEntries(
      Object.entries(held.films).map(([fileId, seconds]) => [fileId, seconds ?? durations[fileId] ?? null]),
    )
    const facts = factsOf({ ...held, films }, { ...held.progress, watched: merged })
    const missing = missingFor(facts)
    const due = !held.progress.completedAt && !missing && ruleInForce(facts) === 'watched'
    const completion = due ? await completeWatched(tx, actor, lessonId) : null
    return {
      shares: Object.fromEntries(
        facts.films.map(({ fileId, ranges, duration }) => [fileId, shareOf(ranges, duration)]),
      ),
      missing,
      completedAt: completion?.completedAt ?? held.progress.completedAt,
      completion,
    }
  })
}

type Held = Awaited<ReturnType<typeof findHeld>>

async function holdProgress(tx: Tx, actor: Actor, lessonId: string): Promise<NonNullable<Held>> {
  const visiting = await findHeld(tx, actor, lessonId)
  if (visiting) return visiting
  const reading = await loadReading(tx, actor, lessonId)
  mustBeOpen(reading)
  await recordVisit(tx, actor, lessonId, reading.found.courseId)
  const held = await findHeld(tx, actor, lessonId)
  if (!held) throw new Refusal('not_found')
  return held
}

async function findHeld(tx: Tx, actor: Actor, lessonId: string) {
  const [held] = await tx
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
  return held
}

function added(
  known: WatchedRanges,
  told: Record<string, Ranges>,
  films: Record<string, number | null>,
  durations: Record<string, number>,
) {
  const merged: WatchedRanges = { ...known }
  for (const [fileId, ranges] of Object.entries(told)) {
    const length = films[fileId]
    if (length === undefined) continue
    const within = clampRanges(ranges, length ?? durations[fileId] ?? null)
    merged[fileId] = mergeRanges(known[fileId] ?? [], within)
  }
  return { merged, changed: JSON.stringify(merged) !== JSON.stringify(known) }
}

function mustBePossible(watched: WatchedRanges, openedAt: Date): void {
  const crumbs = Object.values(watched).some((ranges) => ranges.length > WATCH_LIMITS.ranges)
  if (crumbs || !isPossible(watched, openedAt, new Date())) throw new Refusal('unprocessable')
}

/** Null when the lesson has been locked since it was opened: what was watched stays, the mark waits. */
async function completeWatched(tx: Tx, actor: Actor, lessonId: string): Promise<Completion | null> {
  const reading = await loadReading(tx, actor, lessonId)
  return reading.access.allow ? markLesson(tx, actor, reading, true) : null
}
