import { and, asc, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import { getTenantPlans } from '#lib/billing/billing.ts'
import { spendDailyEmails } from '#lib/billing/daily-emails.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { reportServerError } from '#lib/core/http/error-report.ts'
import type { AutomationRequest } from '#lib/core/jobs/automation-request.ts'
import { forEachItem } from '#lib/core/jobs/items.ts'
import { forEachTenant } from '#lib/core/jobs/tenants.ts'
import { log, withoutQueryValues } from '#lib/core/log.ts'
import { isTemporaryFailure } from '#lib/core/service-unavailable.ts'
import { DAY_MS } from '#lib/core/shared/time.ts'
import { getTenant } from '#lib/tenant/tenant.ts'
import { findMatches, type Match } from './find-matches.ts'
import { performActions } from './perform-action.ts'
import { type AutomationRow, automation, automationRun } from './table.ts'
import type { CauseFilter } from './trigger-sql.ts'

/** What was due longer ago, e.g. while the installation was off, is not done any more. */
const LATEST_MS = 7 * DAY_MS
const BATCH_SIZE = 200

/**
 * Acts for the students for whom automations are due. Runs every five minutes, for what depends on the time only and for
 * what `reactToEvent` has missed; a run that follows, or runs at the same
 * time, does nothing twice. Returns the number of actions.
 */
export function runAutomations(now = new Date()): Promise<number> {
  const dueSql = `select 1 from automation a join tenant t on t.id = a.tenant_id and t.status = 'active'
    where a.on_since is not null and a.deleted_at is null`
  return forEachTenant({ job: 'automation.run', dueSql, now }, async (tenantId) => {
    const ids = await inTenant({ tenantId }, (tx) =>
      tx.select({ id: automation.id }).from(automation).where(isOn).orderBy(asc(automation.createdAt)),
    )
    const task = { job: 'automation.run', tenantId, items: ids, idOf: ({ id }: { id: string }) => id }
    return forEachItem(task, ({ id }) => runAutomation({ tenantId, automationId: id }, now))
  })
}

/**
 * Job handler: acts after something has happened to a student in a school, with the automations of the delay that has
 * passed. The same as the periodic job for these, so that nothing is done twice. Returns the number of actions.
 */
export async function reactToEvent(
  { tenantId, event, delayHours = 0, studentId, subjectId }: AutomationRequest,
  now = new Date(),
): Promise<number> {
  const rows = await inTenant({ tenantId }, (tx) =>
    tx
      .select({ id: automation.id })
      .from(automation)
      .where(and(isOn, isActiveSchool, eq(automation.trigger, event), eq(automation.delayHours, delayHours)))
      .orderBy(asc(automation.createdAt)),
  )
  const filter = { studentId, subjectId }
  const task = { job: 'automation.react', tenantId, items: rows, idOf: ({ id }: { id: string }) => id }
  return forEachItem(task, ({ id }) => runAutomation({ tenantId, automationId: id, filter }, now))
}

const isActiveSchool = sql`exists (select from tenant t where t.id = current_tenant() and t.status = 'active')`

const isOn = and(
  eq(automation.tenantId, sql`current_tenant()`),
  isNotNull(automation.onSince),
  isNull(automation.deletedAt),
)

interface AutomationTask {
  tenantId: string
  automationId: string
  filter?: CauseFilter
}

async function runAutomation(task: AutomationTask, now: Date): Promise<number> {
  let done = 0
  for (;;) {
    const count = await inTenant(task, (tx) => runAutomationBatch(tx, task, now)).catch((error: unknown) => {
      if (isTemporaryFailure(error)) throw error
      return runSeparately(task, now)
    })
    done += count
    if (count < BATCH_SIZE) return done
  }
}

/** The next batch with a transaction for each student: one that fails is stored as failed, and the others are continued. */
async function runSeparately(task: AutomationTask, now: Date): Promise<number> {
  for (let count = 0; ; count += 1) {
    if (count === BATCH_SIZE) return count
    const isDone = await inTenant(task, (tx) => runAutomationBatch(tx, task, now, { limit: 1 })).catch(
      async (error: unknown) => {
        if (isTemporaryFailure(error)) throw error
        log.error({ ...task, err: withoutQueryValues(error) }, 'An automation failed for one student')
        reportServerError(error, `automation ${task.automationId}`)
        return inTenant(task, (tx) => runAutomationBatch(tx, task, now, { limit: 1, isFailed: true }))
      },
    )
    if (isDone === 0) return count
  }
}

/** The runs and their effects are one transaction; the lock of the automation makes concurrent jobs wait. */
async function runAutomationBatch(
  tx: Tx,
  { automationId, filter = {} }: AutomationTask,
  now: Date,
  { limit = BATCH_SIZE, isFailed = false } = {},
): Promise<number> {
  const [row] = await tx
    .select()
    .from(automation)
    .where(and(eq(automation.id, automationId), isOn))
    .for('update')
  if (!row?.onSince) return 0
  const from = new Date(Math.max(row.onSince.getTime(), now.getTime() - LATEST_MS))
  const { matches } = await findMatches(tx, row, { from, to: now, automationId, filter, limit })
  const allowed = row.action === 'notify' && !isFailed ? await withinDailyLimit(tx, row, matches) : matches
  if (allowed.length === 0) return 0
  await tx
    .insert(automationRun)
    .values(
      allowed.map(({ studentId, cause, subject }) => ({
        tenantId: row.tenantId,
        automationId,
        studentId,
        cause,
        subject: subject.slice(0, 300),
        ...(isFailed
          ? { result: 'failed' as const, reason: 'other' }
          : row.action === 'callWebhook'
            ? { result: 'pending' as const, nextAttemptAt: now }
            : { result: 'done' as const }),
        createdAt: now,
      })),
    )
    .onConflictDoNothing()
  if (!isFailed) await performActions(tx, row, allowed, now)
  return allowed.length
}

/** Automations count towards the emails that a school may send a day; what exceeds them is tried again later. */
async function withinDailyLimit(tx: Tx, { tenantId }: AutomationRow, matches: readonly Match[]): Promise<Match[]> {
  if (matches.length === 0) return []
  const { plans } = await getTenantPlans(tx)
  const { timeZone } = await getTenant(tenantId)
  const sender = { tenantId, plans, timeZone, locale: 'uk' as const }
  const { granted } = await spendDailyEmails(tx, sender, 'students', matches.length, { allowsPartial: true })
  return matches.slice(0, granted)
}
