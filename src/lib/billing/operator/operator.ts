import { and, eq, isNotNull } from 'drizzle-orm'
import { recordAuditEntry } from '#lib/audit/audit.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { formRefusal, Refusal } from '#lib/core/http/refusal.ts'
import { DAY_MS } from '#lib/core/shared/time.ts'
import { findAnyTenant, type ListedTenant, listTenants, setTenantStatus } from '#lib/tenant/status.ts'
import { membership, user } from '#lib/user/table.ts'
import { getTenantPlans } from '../billing.ts'
import { subscription } from '../table.ts'
import { listUsage, type UsageCounters } from '../usage.ts'
import type { ExtendTrial, ListSchools, School, SchoolInput, SchoolList, SchoolUsage, SuspendSchool } from './schema.ts'

/** The schools of the installation in any status, by subdomain. */
export async function listSchools({ limit, ...page }: ListSchools): Promise<SchoolList> {
  const found = await listTenants({ ...page, limit: limit + 1 })
  const items: School[] = []
  // Row-level security: each school is read in a separate transaction.
  for (const row of found.slice(0, limit)) items.push(await readSchool(row))
  return { items, next: found.length > limit ? (items.at(-1)?.subdomain ?? null) : null }
}

/** One school with how much of its limits it uses. Refuses with not_found. */
export async function getSchoolUsage(
  { school }: SchoolInput,
  counters: UsageCounters,
  now = new Date(),
): Promise<SchoolUsage> {
  const row = await findSchool(school)
  const usage = await inTenant({ tenantId: row.id }, async (tx) =>
    listUsage(tx, { tenantId: row.id, ...(await getTenantPlans(tx)) }, counters, now),
  )
  return { ...(await readSchool(row)), usage }
}

/**
 * Lets the trial of both groups last longer, from its end or, when it has ended, from now. Refuses with not_found, and
 * unprocessable (no_trial) for a school without a trial.
 */
export async function extendTrial({ school, days }: ExtendTrial, now = new Date()): Promise<School> {
  const row = await findSchool(school)
  await inTenant({ tenantId: row.id }, async (tx) => {
    const onTrial = and(eq(subscription.state, 'current'), isNotNull(subscription.trialEndsAt))
    const plans = await tx.select().from(subscription).where(onTrial).for('update')
    if (plans.length === 0) throw formRefusal('no_trial')
    for (const { id, trialEndsAt } of plans) {
      const from = Math.max(trialEndsAt?.getTime() ?? 0, now.getTime())
      const until = new Date(from + days * DAY_MS)
      await tx.update(subscription).set({ trialEndsAt: until, nextPayment: until }).where(eq(subscription.id, id))
    }
    await auditOperatorAction(tx, row, 'plan.trial_extended', { days })
  })
  return readSchool(row)
}

/**
 * Closes a school for everyone until it is restored; nothing is deleted. A second call does nothing. Refuses with
 * not_found.
 */
export const suspendSchool = ({ school, reason }: SuspendSchool): Promise<School> =>
  changeStatus(school, 'suspended', { reason })

/** Opens a suspended school again. A second call does nothing. Refuses with not_found. */
export const restoreSchool = ({ school }: SchoolInput): Promise<School> => changeStatus(school, 'active')

async function changeStatus(
  school: string,
  status: 'active' | 'suspended',
  after: { reason?: string } = {},
): Promise<School> {
  const row = await findSchool(school)
  await inTenant({ tenantId: row.id }, async (tx) => {
    const isChanged = await setTenantStatus(row.id, status === 'active' ? 'suspended' : 'active', status)
    if (isChanged)
      await auditOperatorAction(tx, row, status === 'active' ? 'school.restored' : 'school.suspended', after)
  })
  return readSchool(await findSchool(school))
}

/** A school that is not deleted, by its subdomain. Refuses with not_found. */
export async function findSchool(subdomain: string): Promise<ListedTenant> {
  const row = await findAnyTenant(subdomain)
  if (!row || row.status === 'deleted') throw new Refusal('not_found')
  return row
}

async function readSchool({ createdAt, ...row }: ListedTenant): Promise<School> {
  return inTenant({ tenantId: row.id }, async (tx) => {
    const { plans } = await getTenantPlans(tx)
    const [owner] = await tx
      .select({ email: user.email, firstName: user.firstName, lastName: user.lastName })
      .from(membership)
      .innerJoin(user, eq(user.id, membership.userId))
      .where(eq(membership.accountType, 'ACCOUNT_TYPE_PRODUCT_OWNER'))
      .limit(1)
    return {
      ...row,
      createdAt: createdAt.toISOString(),
      owner: owner ? { email: owner.email, name: `${owner.firstName} ${owner.lastName}`.trim() } : null,
      plans,
    }
  })
}

// The operator is no member: the entry has no author, like those of the system.
function auditOperatorAction(
  tx: Tx,
  { id, name }: ListedTenant,
  action: 'plan.trial_extended' | 'school.suspended' | 'school.restored',
  after: { days?: number; reason?: string },
): Promise<void> {
  const operator = { tenantId: id, membershipId: null, address: undefined }
  return recordAuditEntry(tx, operator, { action, objectId: id, objectName: name, after })
}
