import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { inTenant } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { parseStored } from '#lib/core/shared/parse-stored.ts'
import { isAssigned, requireAllowed } from '#lib/course/permission.ts'
import { requireQuizReader } from '../permission.ts'
import { canReviewAttempts } from '../rules.ts'

const TestStatistics = z.object({
  id: z.string(),
  title: z.string(),
  /** Students with a grant who have started the test. */
  started: z.number(),
  /** Students with a marked attempt, and those who have passed by the grading method of the test. */
  graded: z.number(),
  passed: z.number(),
  /** Mean of the grades in whole percent; null without any. */
  percent: z.number().nullable(),
  /** Attempts that wait for a mark. */
  waiting: z.number(),
})
export type TestStatistics = z.output<typeof TestStatistics>

/**
 * The results of the students of a course in its tests, by title; one statement. Refuses with forbidden (curators:
 * unless assigned to the course).
 */
export async function listTestStatistics(actor: Actor, input: { courseId: string }): Promise<TestStatistics[]> {
  requireQuizReader(actor)
  const { courseId } = input
  return inTenant(actor, async (tx) => {
    const [assigned, { rows }] = await Promise.all([
      isAssigned(tx, actor, courseId),
      tx.execute<Record<string, unknown>>(sql`
        with learner as (select distinct g.student_id as id from enrolled_grants() g
          where g.course_id = ${courseId}),
        result as (select q.id as quiz_id, a.student_id, q.grade_of,
            count(*) filter (where a.state = 'needsReview') as waiting,
            count(*) filter (where a.state = 'graded') as graded,
            bool_or(a.passed) as any_passed,
            (array_agg(coalesce(a.passed, false) order by a.number) filter (where a.state in ('graded', 'needsReview')))[1] as first_passed,
            (array_agg(a.passed order by a.number desc) filter (where a.state = 'graded'))[1] as last_passed,
            sum(a.score) * 100 >= sum(a.max_score) filter (where a.state = 'graded') * q.pass_percent as mean_passed,
            max(100 * a.score / nullif(a.max_score, 0)) as best,
            (array_agg(100 * a.score / nullif(a.max_score, 0) order by a.number) filter (where a.state = 'graded'))[1] as first,
            (array_agg(100 * a.score / nullif(a.max_score, 0) order by a.number desc) filter (where a.state = 'graded'))[1] as last,
            100 * sum(a.score) / nullif(sum(a.max_score) filter (where a.state = 'graded'), 0) as mean
          from quiz q join quiz_attempt a on a.tenant_id = q.tenant_id and a.quiz_id = q.id
            and a.student_id in (select id from learner)
          where q.tenant_id = current_tenant() and q.course_id = ${courseId} and q.deleted_at is null
          group by q.id, a.student_id, q.grade_of, q.pass_percent)
        select q.id, q.title, count(r.student_id)::int as started,
            (count(*) filter (where r.graded > 0))::int as graded,
            (count(*) filter (where case r.grade_of when 'best' then r.any_passed when 'first' then r.first_passed
              when 'last' then r.last_passed else r.mean_passed end))::int as passed,
            round(avg(case r.grade_of when 'best' then r.best when 'first' then r.first when 'last' then r.last
              else r.mean end))::int as percent,
            coalesce(sum(r.waiting), 0)::int as waiting
          from quiz q left join result r on r.quiz_id = q.id
         where q.tenant_id = current_tenant() and q.course_id = ${courseId} and q.deleted_at is null
         group by q.id, q.title order by q.title, q.id`),
    ])
    requireAllowed(canReviewAttempts(actor, assigned))
    return rows.map((row) => parseStored(TestStatistics, row))
  })
}
