import { and, eq, sql } from 'drizzle-orm'
import { recordAuditEntry } from '#lib/audit/audit.ts'
import { requirePlan } from '#lib/billing/billing.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { formRefusal, Refusal } from '#lib/core/http/refusal.ts'
import { enqueueJob } from '#lib/core/jobs/jobs.ts'
import { type Actor, toRequestingActor } from '#lib/core/shared/actor.ts'
import { requireStudentAdministrator } from '../list/list.ts'
import type { BulkReason } from './batch.ts'
import { type BulkAction, type BulkChange, type CreateBulkJob, type JobId, needsConfirmation } from './schema.ts'
import { studentJob } from './table.ts'
import { targetSql } from './target-sql.ts'

const BULK_JOB = 'student.runBulk'

/**
 * Creates a bulk action and stores its students. It starts immediately, or waits as a draft for confirmBulkJob when it
 * ends access. A second call with the same id changes nothing. Refuses with forbidden, plan_inactive, not_found (a
 * named student), unprocessable (nobody is selected).
 */
export async function createBulkJob(actor: Actor, input: CreateBulkJob): Promise<JobId> {
  requireStudentAdministrator(actor)
  requirePlan(actor, 'lms')
  const { jobId, target, change } = input
  return inTenant(actor, async (tx) => {
    const isDraft = needsConfirmation(change.action)
    const [created] = await tx
      .insert(studentJob)
      .values({
        tenantId: actor.tenantId,
        id: jobId,
        by: actor.membershipId,
        action: change.action,
        change,
        actor: toRequestingActor(actor),
        state: isDraft ? 'draft' : 'queued',
      })
      .onConflictDoNothing()
      .returning({ id: studentJob.id })
    if (!created) return { jobId: (await requireOwnJob(tx, actor, jobId)).id }
    const total = await addRows(tx, jobId, target)
    if ('studentIds' in target && total < new Set(target.studentIds).size) throw new Refusal('not_found')
    if (total === 0) throw formRefusal('nobody_selected')
    await tx.update(studentJob).set({ total }).where(eq(studentJob.id, jobId))
    if (!isDraft) await startJob(tx, actor, { jobId, action: change.action, total })
    return { jobId }
  })
}

/** Starts a draft. A second call does nothing. Refuses with forbidden, plan_inactive, not_found. */
export async function confirmBulkJob(actor: Actor, input: JobId): Promise<JobId> {
  requireStudentAdministrator(actor)
  requirePlan(actor, 'lms')
  const { jobId } = input
  return inTenant(actor, async (tx) => {
    const { action, total, state } = await requireOwnJob(tx, actor, jobId)
    if (state !== 'draft') return { jobId }
    const [confirmed] = await tx
      .update(studentJob)
      .set({ state: 'queued', confirmedAt: new Date() })
      .where(and(eq(studentJob.id, jobId), eq(studentJob.state, 'draft')))
      .returning({ id: studentJob.id })
    if (confirmed) await startJob(tx, actor, { jobId, action, total })
    return { jobId }
  })
}

export interface BulkJobView {
  id: string
  action: BulkAction
  change: BulkChange
  state: (typeof studentJob.$inferSelect)['state']
  total: number
  doneCount: number
  unchangedCount: number
  failedCount: number
  createdAt: Date
  endedAt: Date | null
  /** At most 100: the students of a draft, otherwise those who were refused. */
  rows: { studentId: string; name: string; email: string; locale: 'uk' | 'en'; reason: BulkReason | null }[]
}

/** A bulk action of the actor with its progress. Refuses with forbidden, not_found. */
export async function getBulkJob(actor: Actor, input: JobId): Promise<BulkJobView> {
  requireStudentAdministrator(actor)
  const { jobId } = input
  return inTenant(actor, async (tx) => {
    const [job, { rows }] = await Promise.all([
      requireOwnJob(tx, actor, jobId),
      tx.execute<BulkJobView['rows'][number] & Record<string, unknown>>(sql`
        select r.student_id as "studentId", s.name, s.email, u.locale, r.reason from student_job_row r
        join student_job j on j.tenant_id = r.tenant_id and j.id = r.job_id
        join student s on s.tenant_id = r.tenant_id and s.id = r.student_id join "user" u on u.id = s.user_id
        where r.tenant_id = current_tenant() and r.job_id = ${jobId} and (j.state = 'draft' or r.outcome = 'failed')
        order by r.student_id limit 100`),
    ])
    const { by: _, actor: __, tenantId: ___, confirmedAt: ____, ...view } = job
    return { ...view, rows: rows.map((row) => ({ ...row })) }
  })
}

/** Outcomes of all students of a job, for a file. Refuses with forbidden, not_found. */
export async function listOutcomes(actor: Actor, input: JobId) {
  requireStudentAdministrator(actor)
  const { jobId } = input
  return inTenant(actor, async (tx) => {
    await requireOwnJob(tx, actor, jobId)
    const { rows } = await tx.execute<{
      email: string
      name: string
      outcome: string | null
      reason: string | null
    }>(sql`
      select s.email, s.name, r.outcome, r.reason from student_job_row r
      join student s on s.tenant_id = r.tenant_id and s.id = r.student_id
      where r.tenant_id = current_tenant() and r.job_id = ${jobId} order by r.outcome desc nulls last, s.email`)
    return rows
  })
}

async function requireOwnJob(tx: Tx, actor: Actor, jobId: string) {
  const [job] = await tx
    .select()
    .from(studentJob)
    .where(and(eq(studentJob.id, jobId), eq(studentJob.by, actor.membershipId)))
  if (!job) throw new Refusal('not_found')
  return job
}

async function addRows(
  tx: Tx,
  jobId: string,
  target: ReturnType<typeof CreateBulkJob.parse>['target'],
): Promise<number> {
  const selected = targetSql(target)
  const { rowCount } = await tx.execute(sql`insert into student_job_row (tenant_id, job_id, student_id)
    select s.tenant_id, ${jobId}::uuid, s.id from ${selected.from} where ${selected.where}`)
  return rowCount ?? 0
}

async function startJob(
  tx: Tx,
  actor: Actor,
  { jobId, action, total }: { jobId: string; action: BulkAction; total: number },
): Promise<void> {
  await recordAuditEntry(tx, actor, {
    action: 'students.changed',
    objectId: jobId,
    objectName: action,
    after: { action, students: total },
  })
  await enqueueJob(BULK_JOB, { tenantId: actor.tenantId, jobId }, { singletonKey: jobId })
}
