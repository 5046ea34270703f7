import { eq, sql } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { LessonNode } from '#lib/core/shared/lesson-doc.ts'
import { mustSee } from '../permission.ts'
import { CourseId } from '../schema.ts'
import { course } from '../table.ts'
import { type ContentFlaw, isFlawed, isOutline } from './content-rules.ts'

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

/** The same inside a transaction: one statement that walks each text once, whatever the course's size. */
export async function flawsOf(tx: Tx, courseId: string): Promise<ContentFlaw[]> {
  const { rows } = await tx.execute<Row>(sql`
    select l.id as "lessonId", l.title, jsonb_path_query_array(l.blocks, ${LOOKED_AT}) as nodes
    from lesson l join module m on m.tenant_id = l.tenant_id and m.id = l.module_id
    where l.course_id = ${courseId} and l.deleted_at is null and m.deleted_at is null
    order by m.position, m.id, l.position, l.id`)
  return rows.map(flawOf).filter((row) => isFlawed(row))
}

/** Pictures, headings and slots for tests, in reading order. */
const LOOKED_AT = sql.raw(
  `'strict $.content.** ? (@.type == "image" || @.type == "heading" || @.type == "test")'::jsonpath`,
)

interface Row extends Record<string, unknown> {
  lessonId: string
  title: string
  nodes: LessonNode[]
}

function flawOf({ lessonId, title, nodes }: Row): ContentFlaw {
  const of = (type: string) => nodes.filter((node) => node.type === type)
  return {
    lessonId,
    title,
    silentPictures: of('image').filter(({ attrs }) => !String(attrs?.alt ?? '').trim()).length,
    brokenOutline: !isOutline(of('heading').map(({ attrs }) => Number(attrs?.level))),
    emptyTests: of('test').filter(({ attrs }) => !attrs?.testId).length,
  }
}
