import { count, eq, like, or, sql } from 'drizzle-orm'
import { requireRoom } from '#lib/billing/billing.ts'
import type { Tx } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { slugOf } from '#lib/tenant/transliteration.ts'
import { course, courseStaff } from '../table.ts'

type Values = Omit<typeof course.$inferInsert, 'tenantId' | 'slug' | 'id'>

/** Adds a course's row under a free slug, with its author as the first of its staff. Refuses with unprocessable when the plan's number of courses is used up. */
export async function beginCourse(tx: Tx, actor: Actor, values: Values): Promise<{ courseId: string; slug: string }> {
  // The lock keeps two at once from passing the plan's limit together.
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`courses ${actor.tenantId}`}, 0))`)
  const [{ used = 0 } = {}] = await tx.select({ used: count() }).from(course)
  requireRoom(actor, 'course_count', used)
  for (;;) {
    const slug = await freeSlug(tx, slugOf(values.title) || 'course')
    const [made] = await tx
      .insert(course)
      .values({ ...values, tenantId: actor.tenantId, slug })
      .onConflictDoNothing({ target: [course.tenantId, course.slug] })
      .returning({ courseId: course.id, slug: course.slug })
    // Somebody else took the slug between the two statements: look again.
    if (!made) continue
    const { tenantId, membershipId: memberId } = actor
    await tx.insert(courseStaff).values({ tenantId, courseId: made.courseId, memberId, role: 'expert' })
    return made
  }
}

async function freeSlug(tx: Tx, slug: string): Promise<string> {
  const rows = await tx
    .select({ slug: course.slug })
    .from(course)
    .where(or(eq(course.slug, slug), like(course.slug, `${slug}-%`)))
  const taken = new Set(rows.map((row) => row.slug))
  let free = slug
  for (let n = 2; taken.has(free); n += 1) free = `${slug}-${n}`
  return free
}
