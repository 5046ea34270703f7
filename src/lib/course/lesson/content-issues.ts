import { eq, sql } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { LessonNode } from '#lib/core/shared/lesson-doc.ts'
import { requireCourseViewer } from '../permission.ts'
import { course } from '../table.ts'
import { areHeadingsOrdered, type ContentIssues, hasContentIssues } from './content-rules.ts'
import { offeredTests } from './offered-tests.ts'

/**
 * Lessons of a course with accessibility or content issues: images without alternative text, headings out of order,
 * test blocks without a test that students can take. In outline order; advisory only. Refuses with forbidden, not_found.
 */
export async function listContentIssues(actor: Actor, input: { courseId: string }): Promise<ContentIssues[]> {
  requireCourseViewer(actor)
  const { courseId } = input
  return inTenant(actor, async (tx) => {
    const [courseRow] = await tx.select({ id: course.id }).from(course).where(eq(course.id, courseId))
    if (!courseRow) throw new Refusal('not_found')
    return findContentIssues(tx, courseId)
  })
}

/** The same inside a transaction: one statement that reads each document once. */
export async function findContentIssues(tx: Tx, courseId: string): Promise<ContentIssues[]> {
  const { rows } = await tx.execute<LessonNodesRow>(sql`
    select l.id as "lessonId", l.title, jsonb_path_query_array(l.blocks, ${CHECKED_NODES}) as nodes,
      array(select q.id::text from ${offeredTests(TESTS_OF_DRAFT, sql`l.course_id`)}) as "offeredTestIds"
    from lesson l join course_module m on m.tenant_id = l.tenant_id and m.id = l.module_id
    where l.course_id = ${courseId} and l.deleted_at is null and m.deleted_at is null
    order by m.position, m.id, l.position, l.id`)
  return rows.map(contentIssuesOf).filter((row) => hasContentIssues(row))
}

/** Images, headings and test blocks, in reading order. */
const CHECKED_NODES = sql.raw(
  `'strict $.content.** ? (@.type == "image" || @.type == "heading" || @.type == "test")'::jsonpath`,
)

/** The tests of a draft. */
const TESTS_OF_DRAFT = sql.raw(
  `jsonb_path_query_array(l.blocks, '$.content[*] ? (@.type == "test" && @.attrs.testId != null).attrs.testId')`,
)

interface LessonNodesRow extends Record<string, unknown> {
  lessonId: string
  title: string
  nodes: LessonNode[]
  offeredTestIds: string[]
}

function contentIssuesOf({ lessonId, title, nodes, offeredTestIds }: LessonNodesRow): ContentIssues {
  const nodesOfType = (type: string) => nodes.filter((node) => node.type === type)
  const testIds = nodesOfType('test').map(({ attrs }) => attrs?.testId)
  return {
    lessonId,
    title,
    imagesWithoutAlt: nodesOfType('image').filter(({ attrs }) => !String(attrs?.alt ?? '').trim()).length,
    hasUnorderedHeadings: !areHeadingsOrdered(nodesOfType('heading').map(({ attrs }) => Number(attrs?.level))),
    emptyTestCount: testIds.filter((id) => !id).length,
    unavailableTestCount: testIds.filter((id) => id && !offeredTestIds.includes(String(id))).length,
  }
}
