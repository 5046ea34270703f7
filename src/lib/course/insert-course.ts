import { count, eq, like, ne, or } from 'drizzle-orm'
import { requireWithinLimit } from '#lib/billing/billing.ts'
import type { Tx } from '#lib/core/db/db.ts'
import { lockUntilCommit } from '#lib/core/db/locks.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { slugOf } from '#lib/tenant/transliteration.ts'
import { course, courseStaff } from './table.ts'

/** The number of courses of the transaction's tenant that count towards the plan's limit: those that are not archived. */
export async function countCourses(tx: Tx): Promise<number> {
  const [row] = await tx.select({ used: count() }).from(course).where(ne(course.status, 'archived'))
  return row?.used ?? 0
}

// Before the courses are counted: concurrent transactions of a tenant cannot exceed the plan's limit together.
async function lockCourseLimit(tx: Tx, { tenantId }: Actor): Promise<void> {
  await lockUntilCommit(tx, 'courses', tenantId)
}

/**
 * At the end of a transaction that has added courses or restored them from the archive: takes the lock as late as possible.
 * Refuses with unprocessable, so that nothing is added, when they are more than the plan allows.
 */
export async function requireCoursesFit(tx: Tx, actor: Actor): Promise<void> {
  await lockCourseLimit(tx, actor)
  requireWithinLimit(actor, 'course_count', (await countCourses(tx)) - 1)
}

/** Before a course is added or restored. Refuses with unprocessable when the plan's number of courses is used up. */
export async function requireCourseSlot(tx: Tx, actor: Actor): Promise<void> {
  await lockCourseLimit(tx, actor)
  requireWithinLimit(actor, 'course_count', await countCourses(tx))
}

type Values = Omit<typeof course.$inferInsert, 'tenantId' | 'slug' | 'id'>

/**
 * Inserts a course under a free slug with its author as the first expert. Refuses with unprocessable when the plan's
 * number of courses is used up; `requireCoursesFit` has to follow at the end of the transaction.
 */
export async function insertCourse(tx: Tx, actor: Actor, values: Values): Promise<{ courseId: string; slug: string }> {
  requireWithinLimit(actor, 'course_count', await countCourses(tx))
  for (;;) {
    const slug = await findFreeSlug(tx, slugOf(values.title) || 'course')
    const [created] = await tx
      .insert(course)
      .values({ ...values, tenantId: actor.tenantId, slug })
      .onConflictDoNothing({ target: [course.tenantId, course.slug] })
      .returning({ courseId: course.id, slug: course.slug })
    // The slug was taken between the two statements: try the next one.
    if (!created) continue
    const { tenantId, membershipId: memberId } = actor
    await tx.insert(courseStaff).values({ tenantId, courseId: created.courseId, memberId, role: 'expert' })
    return created
  }
}

async function findFreeSlug(tx: Tx, slug: string): Promise<string> {
  const rows = await tx
    .select({ slug: course.slug })
    .from(course)
    .where(or(eq(course.slug, slug), like(course.slug, `${slug}-%`)))
  const takenSlugs = new Set(rows.map((row) => row.slug))
  let candidate = slug
  for (let n = 2; takenSlugs.has(candidate); n += 1) candidate = `${slug}-${n}`
  return candidate
}
