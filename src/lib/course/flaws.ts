import { eq, sql } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { type ContentFlaw, isFlawed, isOutline } from './content-rules.ts'
import { mustSee } from './permission.ts'
import { CourseId } from './schema.ts'
import { course } from './table.ts'

/**
 * Lessons of a course whose drafts say too little to somebody: pictures without words, headings out of order, slots for
 * tests that are empty. In the order of the course; advice and no more. Refuses with forbidden,
 * not_found.
 */
export async function listFlaws(actor: Actor, input: { courseId: string }): Promise<ContentFlaw[]> {
  mustSee(actor)
  const { courseId } = CourseId.parse(input)
  return inTenant(actor, async (tx) => {
    const [found] = await tx.select({ id: course.id }).from(course).where(eq(course.id, courseId))
    if (!found) throw new Refusal('not_found')
    return flawsOf(tx, courseId)
  })
}

/** The same inside a transaction: one statement, whatever the course's size. */
export async function flawsOf(tx: Tx, courseId: string): Promise<ContentFlaw[]> {
  const { rows } = await tx.execute<Row>(sql`
    select l.id as "lessonId", l.title,
      ${count('@.type == "image"')} - ${count('@.type == "image" && @.attrs.alt like_regex "[^ ]"')} as "silentPictures",
      jsonb_path_query_array(l.blocks, 'strict $.** ? (@.type == "heading").attrs.level') as levels,
      ${count('@.type == "test"')} - ${count('@.type == "test" && @.attrs.testId != null')} as "emptyTests"
    from lesson l join module m on m.tenant_id = l.tenant_id and m.id = l.module_id
    where l.course_id = ${courseId} and l.deleted_at is null and m.deleted_at is null
    order by m.position, m.id, l.position, l.id`)
  return rows
    .map(({ levels, ...row }) => ({ ...row, brokenOutline: !isOutline(levels) }))
    .filter((row) => isFlawed(row))
}

interface Row extends Omit<ContentFlaw, 'brokenOutline'> {
  levels: number[]
  [key: string]: unknown
}

/** Nodes of a lesson's draft that a condition of SQL/JSON holds for; what has no such attribute does not hold. */
const count = (condition: string) =>
  sql.raw(`jsonb_array_length(jsonb_path_query_array(l.blocks, 'strict $.** ? (${condition})'))`)
