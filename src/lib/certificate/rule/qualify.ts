import { type SQL, sql } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { matchesSearchText } from '#lib/core/db/search.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { isVisible } from '#lib/course/outline/lesson-counts.ts'
import type { CertificateRule } from './rule.ts'
import { loadTestScores, type TestResult } from './test-score.ts'

/** A condition of the rule that a student does not meet. */
export type MissingRequirement =
  | { key: 'completion'; percent: number; needed: number }
  | { key: 'tasks'; count: number }
  | { key: 'test'; score: number | null; needed: number | null }
  | { key: 'deadline'; at: Date }
  | { key: 'access' }

export interface CertificateCandidate {
  studentId: string
  name: string
  /** The name that is suggested for the certificate: with the patronymic. */
  printedName: string
  email: string
  /** Percent of the visible lessons. */
  percent: number
  /** Percent of the test; null without a result or a test. */
  score: number | null
  /** Empty: the student qualifies. */
  missing: MissingRequirement[]
}

// A type, because the driver requires an index signature.
type FactsRow = {
  studentId: string
  name: string
  printedName: string
  email: string
  total: number
  completed: number
  openTasks: number
  hasAccess: boolean
}

export interface CandidateQuery {
  /** Only these students; by default all of the course. */
  studentIds?: readonly string[]
  search?: string
  /** The name and id after which the page starts. */
  after?: { name: string; id: string } | null
  limit?: number
}

/**
 * The students of a course by name, with the conditions for its certificate that each does not meet: two statements.
 * The caller checks the permission.
 */
export async function loadCandidates(
  tx: Tx,
  rule: CertificateRule,
  query: CandidateQuery = {},
): Promise<CertificateCandidate[]> {
  const { rows } = await tx.execute<FactsRow>(factsSql(rule, query))
  const scores = rule.testId
    ? await loadTestScores(tx, rule.testId, {
        studentIds: rows.map(({ studentId }) => studentId),
        deadline: rule.deadline,
      })
    : new Map<string, TestResult>()
  return rows.map((row) => {
    const result = scores.get(row.studentId) ?? null
    const percent = row.total === 0 ? 0 : Math.floor((100 * row.completed) / row.total)
    return {
      studentId: row.studentId,
      name: row.name,
      printedName: row.printedName,
      email: row.email,
      percent,
      score: result?.percent ?? null,
      missing: findMissing(rule, { ...row, percent, test: result }),
    }
  })
}

/** One student of a course. Refuses with not_found a student without access to it. */
export async function loadCandidate(tx: Tx, rule: CertificateRule, studentId: string): Promise<CertificateCandidate> {
  const [candidate] = await loadCandidates(tx, rule, { studentIds: [studentId] })
  if (!candidate) throw new Refusal('not_found')
  return candidate
}

interface CandidateFacts {
  /** Share of the lessons that were completed before the deadline. */
  percent: number
  openTasks: number
  hasAccess: boolean
  test: TestResult | null
}

/** The conditions of a rule that are not met. After the deadline, the deadline is one of them. */
export function findMissing(rule: CertificateRule, facts: CandidateFacts, now = new Date()): MissingRequirement[] {
  const { percent, openTasks, deadline, test } = { ...facts, deadline: rule.deadline }
  const missing: MissingRequirement[] = []
  if (!facts.hasAccess) missing.push({ key: 'access' })
  if (percent < rule.minCompletion) missing.push({ key: 'completion', percent, needed: rule.minCompletion })
  if (rule.requireTasks && openTasks > 0) missing.push({ key: 'tasks', count: openTasks })
  if (rule.testId) {
    const isInTime = test !== null && (deadline === null || test.at <= deadline)
    const isMet = isInTime && (rule.minScore === null ? test.passed : test.percent >= rule.minScore)
    if (!isMet) missing.push({ key: 'test', score: test?.percent ?? null, needed: rule.minScore })
  }
  const isMissed = missing.some(({ key }) => key !== 'access')
  if (deadline && isMissed && deadline < now) missing.push({ key: 'deadline', at: deadline })
  return missing
}

function factsSql(
  { courseId, deadline }: CertificateRule,
  { studentIds, search, after, limit = 1000 }: CandidateQuery,
): SQL {
  const inTime = (column: SQL) =>
    deadline ? sql`${column} <= ${deadline.toISOString()}::timestamptz` : sql`${column} is not null`
  const only = studentIds ? sql`and s.id = any(${sql.param(studentIds)}::uuid[])` : sql``
  const found = search ? matchesSearchText(search, sql`search_text(s.name || ' ' || s.email)`) : undefined
  const later = after ? sql`and (s.name, s.id) > (${after.name}, ${after.id}::uuid)` : sql``
  return sql`
    with lessons as (
      select l.id, l.task_count from lesson l join course_module m on m.tenant_id = l.tenant_id and m.id = l.module_id
       where l.tenant_id = current_tenant() and l.course_id = ${courseId} and ${isVisible}),
    people as (
      select s.id, s.name, s.email, bool_or(e.with_certificate) is true and s.blocked_at is null as has_access
        from access_grant g left join enrolled_grants() e on e.id = g.id join student s on s.tenant_id = g.tenant_id and s.id = g.student_id
       where g.tenant_id = current_tenant() and g.course_id = ${courseId} ${only} ${later}
         ${found ? sql`and ${found}` : sql``}
       group by s.id, s.name, s.email, s.blocked_at
       order by s.name, s.id limit ${limit})
    select p.id as "studentId", p.name, p.email, coalesce((
          select trim(concat_ws(' ', u.first_name, nullif(u.patronymic, ''), u.last_name))
            from student s join "user" u on u.id = s.user_id
           where s.tenant_id = current_tenant() and s.id = p.id and s.anonymized_at is null), p.name) as "printedName", p.has_access as "hasAccess", done.completed,
        (select count(*) from lessons)::int as total,
        ((select count(*) from lessons where task_count > 0) - done.accepted)::int as "openTasks"
      from people p cross join lateral (
        select count(*) filter (where ${inTime(sql`lp.completed_at`)})::int as completed,
            count(*) filter (where l.task_count > 0 and ${inTime(sql`lp.homework_accepted_at`)})::int as accepted
          from lesson_progress lp join lessons l on l.id = lp.lesson_id
         where lp.tenant_id = current_tenant() and lp.student_id = p.id) done
     order by p.name, p.id`
}
