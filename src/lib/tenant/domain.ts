import { and, eq, lt, ne } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { lockUntilCommit } from '#lib/core/db/locks.ts'
import { tenantDomain } from './table.ts'

export type DomainRow = typeof tenantDomain.$inferSelect

/**
 * Sets the custom domain of a tenant, not yet verified, replacing an earlier one. Returns false when the domain is pending
 * for another tenant that added it after `pendingSince`; an older one of another tenant fails.
 */
export async function saveDomain(
  tx: Tx,
  tenantId: string,
  { domain, verificationToken }: Pick<DomainRow, 'domain' | 'verificationToken'>,
  pendingSince: Date,
): Promise<boolean> {
  // Transactions that add the same domain wait for each other; a unique index is the last resort.
  await lockUntilCommit(tx, 'domain', domain)
  const isPendingElsewhere = and(
    eq(tenantDomain.domain, domain),
    eq(tenantDomain.status, 'pending'),
    ne(tenantDomain.tenantId, tenantId),
  )
  await tx
    .update(tenantDomain)
    .set({ status: 'failed', checkError: 'txt_missing' })
    .where(and(isPendingElsewhere, lt(tenantDomain.createdAt, pendingSince)))
  if ((await tx.$count(tenantDomain, isPendingElsewhere)) > 0) return false

  const added = { domain, verificationToken, status: 'pending' as const, lastCheckAt: null, checkError: null }
  const values = { ...added, failedChecks: 0, createdAt: new Date() }
  await tx
    .insert(tenantDomain)
    .values({ tenantId, ...values })
    .onConflictDoUpdate({ target: tenantDomain.tenantId, set: values })
  return true
}

/** Deletes the custom domain of a tenant; returns it, or null when there was none. */
export async function deleteDomain(tx: Tx, tenantId: string): Promise<DomainRow | null> {
  const [row] = await tx.delete(tenantDomain).where(eq(tenantDomain.tenantId, tenantId)).returning()
  return row ?? null
}

/**
 * Stores the result of a check, unless the domain was changed meanwhile. When a tenant has proved its control of the
 * domain, the record of another tenant with this domain, a former owner, is deleted.
 */
export async function saveDomainCheck(
  tx: Tx,
  checked: Pick<DomainRow, 'tenantId' | 'domain' | 'verificationToken'>,
  result: Pick<DomainRow, 'status' | 'failedChecks' | 'checkError' | 'lastCheckAt'>,
): Promise<DomainRow | null> {
  const { tenantId, domain, verificationToken } = checked
  if (result.status === 'verified' || result.status === 'active') {
    await tx
      .update(tenantDomain)
      .set({ status: 'failed', checkError: 'txt_missing' })
      .where(and(eq(tenantDomain.domain, domain), ne(tenantDomain.tenantId, tenantId)))
  }
  const [updated] = await tx
    .update(tenantDomain)
    .set(result)
    .where(and(eq(tenantDomain.tenantId, tenantId), eq(tenantDomain.verificationToken, verificationToken)))
    .returning()
  return updated ?? null
}

/** Stores that a domain was looked at, when its check could not be completed. */
export async function postponeDomainCheck(tx: Tx, tenantId: string, lastCheckAt: Date): Promise<void> {
  await tx.update(tenantDomain).set({ lastCheckAt }).where(eq(tenantDomain.tenantId, tenantId))
}
