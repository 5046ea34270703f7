import { sql } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import type { JobRun } from '#lib/core/jobs/jobs.ts'
import { type Actor, type RequestingActor, restoreActor } from '#lib/core/shared/actor.ts'
import { parseStored } from '#lib/core/shared/parse-stored.ts'
import { notify } from '#lib/notification/notify.ts'
import { recordStudentEntries, type StudentChange } from '../audit.ts'
import { applyChange } from './actions.ts'
import { type ChangeCourseAccess, loadBatch, type Outcomes } from './batch.ts'
import { BulkChange } from './schema.ts'

const BATCH = 100

/**
 * Runs a bulk action, batch by batch: the changes of a batch and their outcomes are one transaction, so that an
 * interrupted job continues where it stopped. `changeAccess` is that of the course module.
 */
export async function runBulkJob(
  { tenantId, jobId }: { tenantId: string; jobId: string },
  changeAccess: ChangeCourseAccess,
  { signal }: Pick<JobRun, 'signal'>,
): Promise<void> {
  for (;;) {
    signal.throwIfAborted()
    const processed = await inTenant({ tenantId }, (tx) => runBatch(tx, jobId, changeAccess))
    if (processed === 0) return
  }
}

async function runBatch(tx: Tx, jobId: string, changeAccess: ChangeCourseAccess): Promise<number> {
  // The lock makes a second run of the same job wait for the batch of the first.
  const { rows: jobs } = await tx.execute<{
    change: unknown
    actor: RequestingActor
    state: string
    total: number
  }>(sql`
    select change, actor, state, total from student_job where tenant_id = current_tenant() and id = ${jobId} for update`)
  const [job] = jobs
  if (!job || (job.state !== 'queued' && job.state !== 'running')) return 0
  const { rows } = await tx.execute<{ student_id: string }>(sql`select student_id from student_job_row
    where tenant_id = current_tenant() and job_id = ${jobId} and outcome is null order by student_id limit ${BATCH}`)
  if (rows.length === 0) {
    await tx.execute(sql`update student_job set state = 'done', ended_at = now()
      where tenant_id = current_tenant() and id = ${jobId}`)
    await notify(tx, {
      kind: 'bulk_finished',
      memberIds: [job.actor.membershipId],
      key: `student-job/${jobId}`,
      data: { subject: String(job.total) },
      link: `/students?job=${jobId}`,
    })
    return 0
  }
  const ids = rows.map(({ student_id }) => student_id)
  const students = await loadBatch(tx, ids)
  const actor = restoreActor(job.actor)
  const change = parseStored(BulkChange, job.change)
  const outcomes = await applyChange({ tx, actor, jobId, students, changeAccess }, change)
  await auditOutcomes(tx, actor, change, outcomes)
  await saveOutcomes(tx, jobId, ids, outcomes)
  return ids.length
}

/** An audit entry for each student who was changed; the course module records changes of access itself. */
async function auditOutcomes(tx: Tx, actor: Actor, change: BulkChange, outcomes: Outcomes): Promise<void> {
  const values = bulkChangeAuditValues(change)
  if (!values) return
  const changed = [...outcomes].flatMap(([studentId, { outcome }]) => (outcome === 'done' ? [studentId] : []))
  await recordStudentEntries(
    tx,
    actor,
    'student.changed',
    changed.map((studentId) => ({ studentId, ...values })),
  )
}

function bulkChangeAuditValues(change: BulkChange): Pick<StudentChange, 'before' | 'after'> | null {
  switch (change.action) {
    case 'tag':
      return { after: { tag: change.tag } }
    case 'untag':
      return { before: { tag: change.tag } }
    case 'block':
    case 'unblock':
      return { before: { blocked: change.action === 'unblock' }, after: { blocked: change.action === 'block' } }
    case 'delete':
    case 'restore':
      return { before: { deleted: change.action === 'restore' }, after: { deleted: change.action === 'delete' } }
    default:
      return null
  }
}

/** Students who were anonymised meanwhile have no outcome: they are refused. */
async function saveOutcomes(tx: Tx, jobId: string, ids: readonly string[], outcomes: Outcomes): Promise<void> {
  const rows = ids.map((id) => ({ id, ...(outcomes.get(id) ?? { outcome: 'failed', reason: 'refused' }) }))
  await tx.execute(sql`update student_job_row r set outcome = o.outcome, reason = o.reason
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as o(id uuid, outcome text, reason text)
    where r.tenant_id = current_tenant() and r.job_id = ${jobId} and r.student_id = o.id`)
  const count = (outcome: string) => rows.filter((row) => row.outcome === outcome).length
  await tx.execute(sql`update student_job set state = 'running', done_count = done_count + ${count('done')},
      unchanged_count = unchanged_count + ${count('unchanged')}, failed_count = failed_count + ${count('failed')}
    where tenant_id = current_tenant() and id = ${jobId}`)
}
