import { and, eq, isNull } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Channels } from '#lib/core/live/endpoint.ts'
import { publish } from '#lib/core/live/live.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { requireCourseEditor } from '../permission.ts'
import { canEditCourse } from '../rules.ts'
import { LessonId } from '../schema.ts'
import { lesson } from '../table.ts'
import type { AttendLesson } from './schema.ts'

/** Events between the open editors of a lesson. */
type LessonEvent =
  | { kind: 'come' | 'stay' | 'go'; tab: string; memberId: string; name: string }
  | { kind: 'saved'; version: number; tab: string | null }
  | { kind: 'published'; version: number }

/** Channel `lesson:{id}`: presence of other editors, and new versions of the draft. */
export const lessonChannel: Channels[string] = {
  canSubscribe: (actor, [id]) => {
    const parsed = LessonId.safeParse({ lessonId: id })
    if (!parsed.success) throw new Refusal('not_found')
    return inTenant(actor, async (tx) => {
      await requireLesson(tx, parsed.data.lessonId)
      return canEditCourse(actor)
    })
  },
}

/**
 * Announces to the other open editors of a lesson that this one joins, stays or leaves; an editor that receives a join
 * responds that it stays. Nothing is stored. Refuses with forbidden, plan_inactive, not_found.
 */
export async function attendLesson(actor: Actor, input: AttendLesson): Promise<void> {
  requireCourseEditor(actor)
  const { lessonId, tab, announce } = input
  await inTenant(actor, async (tx) => {
    await requireLesson(tx, lessonId)
    const name = `${actor.firstName} ${actor.lastName}`.trim()
    await publishLessonEvent(lessonId, { kind: announce, tab, memberId: actor.membershipId, name })
  })
}

/** Announces a new version of the draft and the tab that saved it. Called last in the transaction. */
export function announceSaved(lessonId: string, version: number, tab: string | null = null): Promise<void> {
  return publishLessonEvent(lessonId, { kind: 'saved', version, tab })
}

/** Announces a publication. Called last in the transaction. */
export function announceLessonPublished(lessonId: string, version: number): Promise<void> {
  return publishLessonEvent(lessonId, { kind: 'published', version })
}

/** Refuses with not_found unless the lesson exists and is not in the trash. */
export async function requireLesson(tx: Tx, lessonId: string): Promise<void> {
  const [row] = await tx
    .select({ id: lesson.id })
    .from(lesson)
    .where(and(eq(lesson.id, lessonId), isNull(lesson.deletedAt)))
  if (!row) throw new Refusal('not_found')
}

const publishLessonEvent = (lessonId: string, event: LessonEvent) => publish(`lesson:${lessonId}`, event)
