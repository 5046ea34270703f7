import { randomBytes } from 'node:crypto'
import { and, asc, eq, isNull, lt, or, sql } from 'drizzle-orm'
import { config } from '#lib/core/config/config.ts'
import { inSystem, inTenant } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { countAttempt } from '#lib/core/http/throttle.ts'
import { forEachItem } from '#lib/core/jobs/items.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { DAY_MS, HOUR_SECONDS, MINUTE_MS } from '#lib/core/shared/time.ts'
import { deleteDomain, postponeDomainCheck, saveDomain, saveDomainCheck } from '#lib/tenant/domain.ts'
import { tenant, tenantDomain } from '#lib/tenant/table.ts'
import { findTenantByDomain } from '#lib/tenant/tenant.ts'
import { findDomainProblem } from './dns.ts'
import { type DomainView, recordsOf, toDomainView } from './domain-view.ts'
import { requireSettingsManager } from './permission.ts'
import { nextDomainState } from './rules.ts'
import type { AddDomain } from './schema.ts'
import { lockOwnTenant, recordSettings } from './settings.ts'

/** Limit of manual checks, because each one queries DNS servers. */
const CHECKS = { limit: 20, windowSeconds: HOUR_SECONDS }
/** New domains are checked at this interval for a week, others once a day. */
const NEW_INTERVAL_MS = 10 * MINUTE_MS
const NEW_DAYS = 7
const DOMAINS_PER_RUN = 50

/** A school that has not verified a domain for so long no longer keeps others from adding it. */
const PENDING_MS = 3 * DAY_MS

/**
 * Sets the custom domain of the school, which replaces an earlier one. It is served after its DNS records are verified.
 * Refuses with forbidden, and with unprocessable (domain_own) for a domain of this installation or (domain_pending) for
 * one that another school is verifying.
 */
export async function addDomain(actor: Actor, { domain }: AddDomain, now = new Date()): Promise<void> {
  requireSettingsManager(actor)
  if (domain === config.baseDomain || domain.endsWith(`.${config.baseDomain}`)) {
    throw new Refusal('unprocessable', { fields: { domain: ['domain_own'] } })
  }
  await inTenant(actor, async (tx) => {
    await lockOwnTenant(tx, actor)
    const [current] = await tx.select().from(tenantDomain).where(eq(tenantDomain.tenantId, actor.tenantId))
    if (current?.domain === domain) return
    const verificationToken = randomBytes(16).toString('hex')
    const pendingSince = new Date(now.getTime() - PENDING_MS)
    if (!(await saveDomain(tx, actor.tenantId, { domain, verificationToken }, pendingSince))) {
      throw new Refusal('unprocessable', { fields: { domain: ['domain_pending'] } })
    }
    await recordSettings(tx, actor, { domain: current?.domain ?? null }, { domain })
  })
}

/** Removes the custom domain; a second call changes nothing. Refuses with forbidden. */
export async function removeDomain(actor: Actor): Promise<void> {
  requireSettingsManager(actor)
  await inTenant(actor, async (tx) => {
    await lockOwnTenant(tx, actor)
    const removed = await deleteDomain(tx, actor.tenantId)
    if (removed) await recordSettings(tx, actor, { domain: removed.domain }, { domain: null })
  })
}

/** Checks the DNS records of the school's custom domain now. Refuses with forbidden, not_found, too_many. */
export async function checkDomain(actor: Actor): Promise<DomainView> {
  requireSettingsManager(actor)
  await countAttempt(`domain-check:${actor.tenantId}`, CHECKS)
  const checked = await checkDomainOf(actor.tenantId)
  if (!checked) throw new Refusal('not_found')
  return checked
}

/** Whether a domain is served by this installation, for a reverse proxy that obtains certificates on demand. */
export async function isDomainServed(domain: string): Promise<boolean> {
  return (await findTenantByDomain(domain.toLowerCase())) !== null
}

/** Checks the custom domains that are due, of all schools. Returns their number. */
export async function checkDueDomains(now = new Date()): Promise<number> {
  const isNew = and(
    sql`${tenantDomain.status} <> 'active'`,
    sql`${tenantDomain.createdAt} > ${new Date(now.getTime() - NEW_DAYS * DAY_MS)}`,
    lt(tenantDomain.lastCheckAt, new Date(now.getTime() - NEW_INTERVAL_MS)),
  )
  const isDue = or(
    isNull(tenantDomain.lastCheckAt),
    isNew,
    lt(tenantDomain.lastCheckAt, new Date(now.getTime() - DAY_MS)),
  )
  const due = await inSystem((tx) =>
    tx
      .select({ tenantId: tenantDomain.tenantId })
      .from(tenantDomain)
      .where(isDue)
      .orderBy(sql`${tenantDomain.lastCheckAt} nulls first`, asc(tenantDomain.tenantId))
      .limit(DOMAINS_PER_RUN),
  )
  const task = {
    job: 'settings.checkDomains',
    tenantId: '',
    items: due,
    idOf: (row: { tenantId: string }) => row.tenantId,
  }
  await forEachItem(task, async ({ tenantId }) => {
    try {
      await checkDomainOf(tenantId, now)
    } catch (error) {
      // Otherwise those that fail would be the first ones of every run.
      await inSystem((tx) => postponeDomainCheck(tx, tenantId, now))
      throw error
    }
  })
  return due.length
}

// DNS servers are queried outside a transaction; the state of a domain that was changed meanwhile is not updated.
async function checkDomainOf(tenantId: string, now = new Date()): Promise<DomainView | null> {
  const [row] = await inSystem((tx) =>
    tx
      .select({ domain: tenantDomain, subdomain: tenant.subdomain })
      .from(tenantDomain)
      .innerJoin(tenant, eq(tenant.id, tenantDomain.tenantId))
      .where(eq(tenantDomain.tenantId, tenantId)),
  )
  if (!row) return null
  const { domain, verificationToken } = row.domain
  const problem = await findDomainProblem(recordsOf(domain, verificationToken, row.subdomain))
  const result = { ...nextDomainState(row.domain, problem), checkError: problem, lastCheckAt: now }
  const updated = await inSystem((tx) => saveDomainCheck(tx, row.domain, result))
  return updated && toDomainView(updated, row.subdomain)
}
