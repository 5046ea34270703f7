import { and, eq, inArray, lte, sql } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { forEachItem } from '#lib/core/jobs/items.ts'
import type { JobRun } from '#lib/core/jobs/jobs.ts'
import { forEachTenant } from '#lib/core/jobs/tenants.ts'
import { loadCandidates } from '../rule/qualify.ts'
import { loadRule } from '../rule/rule.ts'
import { certificate, certificateCheck } from '../table.ts'
import { forEachCandidatePage } from './candidate-pages.ts'
import { emailStudent } from './emails.ts'
import { newCertificate, queueIssue } from './issue.ts'

/** Number of students per transaction. */
const BATCH_SIZE = 200

/**
 * Job handler: evaluates who has earned a certificate since their progress changed. Where a rule issues automatically,
 * the student is asked for the name, or the certificate becomes due immediately. Idempotent; returns the number of
 * checked students.
 */
export function checkStudents(now = new Date()): Promise<number> {
  const dueSql = 'select 1 from certificate_check where at <= $1'
  return forEachTenant({ job: 'certificate.checkStudents', dueSql, now }, async (tenantId) => {
    const items = await inTenant({ tenantId }, (tx) =>
      tx
        .selectDistinct({ courseId: certificateCheck.courseId })
        .from(certificateCheck)
        .where(lte(certificateCheck.at, now)),
    )
    const idOf = ({ courseId }: (typeof items)[number]) => courseId
    return forEachItem({ job: 'certificate.checkStudents', tenantId, items, idOf }, async ({ courseId }) => {
      let sum = 0
      while (true) {
        const count = await inTenant({ tenantId }, (tx) => checkBatch(tx, { tenantId, courseId }, now))
        sum += count
        if (count < BATCH_SIZE) return sum
      }
    })
  })
}

async function checkBatch(
  tx: Tx,
  { tenantId, courseId }: { tenantId: string; courseId: string },
  now: Date,
): Promise<number> {
  const waiting = await tx
    .select({ studentId: certificateCheck.studentId })
    .from(certificateCheck)
    .where(and(eq(certificateCheck.courseId, courseId), lte(certificateCheck.at, now)))
    .orderBy(certificateCheck.studentId)
    .limit(BATCH_SIZE)
    .for('update', { skipLocked: true })
  const studentIds = waiting.map(({ studentId }) => studentId)
  if (studentIds.length === 0) return 0
  await offerCertificates(tx, tenantId, courseId, studentIds)
  await tx
    .delete(certificateCheck)
    .where(and(eq(certificateCheck.courseId, courseId), inArray(certificateCheck.studentId, studentIds)))
  return studentIds.length
}

/** Job handler: checks all students of a course after its rule was changed. Idempotent. */
export function checkCourse(
  { tenantId, courseId }: { tenantId: string; courseId: string },
  run: Pick<JobRun, 'signal'>,
): Promise<void> {
  return forEachCandidatePage(
    {
      tenantId,
      courseId,
      handlePage: (tx, _rule, candidates) =>
        offerCertificates(
          tx,
          tenantId,
          courseId,
          candidates.map(({ studentId }) => studentId),
        ),
    },
    run,
  )
}

/** Creates pending certificates for those students who have earned one and never had one. */
async function offerCertificates(
  tx: Tx,
  tenantId: string,
  courseId: string,
  studentIds: readonly string[],
): Promise<void> {
  const rule = await loadRule(tx, courseId)
  if (!rule?.enabled || !rule.autoIssue || rule.type !== 'electronic' || studentIds.length === 0) return
  const had = await tx
    .select({ studentId: certificate.studentId })
    .from(certificate)
    .where(and(eq(certificate.courseId, courseId), inArray(certificate.studentId, [...studentIds])))
  const without = new Set(studentIds).difference(new Set(had.map(({ studentId }) => studentId)))
  const candidates = await loadCandidates(tx, rule, { studentIds: [...without] })
  const earned = candidates.filter(({ missing }) => missing.length === 0)
  if (earned.length === 0) return
  const dueAt = rule.confirmName ? null : sql`now()`
  const created = await tx
    .insert(certificate)
    .values(
      earned.map(({ studentId, printedName, email }) => ({
        ...newCertificate(tenantId, rule, studentId, printedName || email),
        dueAt,
      })),
    )
    .onConflictDoNothing()
    .returning({ id: certificate.id })
  if (!rule.confirmName) await queueIssue(tenantId, courseId)
  else for (const { id } of created) await emailStudent(tx, id, 'confirm')
}
