import { and, eq, sql } from 'drizzle-orm'
import { afterCommit, type Tx } from '#lib/core/db/db.ts'
import { lockUntilCommit } from '#lib/core/db/locks.ts'
import { clearPageCaches } from '#lib/core/processes/peers.ts'
import { formerSubdomain, tenant, tenantLogo } from './table.ts'

export type TenantRow = typeof tenant.$inferSelect
export type TenantSettings = Partial<
  Pick<TenantRow, 'name' | 'locale' | 'timeZone' | 'primaryColor' | 'subdomain' | 'logoHash' | 'replyTo'>
>

/** Locks the row of an active tenant until the end of the transaction; null when there is none. */
export async function lockTenant(tx: Tx, tenantId: string): Promise<TenantRow | null> {
  const isActive = and(eq(tenant.id, tenantId), eq(tenant.status, 'active'))
  const [row] = await tx.select().from(tenant).where(isActive).for('update')
  return row ?? null
}

/** Sets settings of a tenant and increases their revision. Public pages show the change from the commit on. */
export async function updateTenant(tx: Tx, tenantId: string, settings: TenantSettings): Promise<void> {
  await tx
    .update(tenant)
    .set({ ...settings, revision: sql`${tenant.revision} + 1` })
    .where(eq(tenant.id, tenantId))
  afterCommit(clearPageCaches)
}

/**
 * Whether a subdomain belongs to no tenant. Concurrent transactions that claim the same one wait for each other, until
 * the end of this transaction.
 */
export async function claimSubdomain(tx: Tx, subdomain: string): Promise<boolean> {
  await lockUntilCommit(tx, 'subdomain', subdomain)
  return (await tx.$count(tenant, eq(tenant.subdomain, subdomain))) === 0
}

/** Reserves a replaced subdomain for its tenant. Returns the number of former subdomains of the tenant. */
export async function addFormerSubdomain(tx: Tx, tenantId: string, subdomain: string): Promise<number> {
  await tx.insert(formerSubdomain).values({ subdomain, tenantId })
  return tx.$count(formerSubdomain, eq(formerSubdomain.tenantId, tenantId))
}

/** Removes a subdomain from the former ones of a tenant. Returns whether it was one. */
export async function releaseFormerSubdomain(tx: Tx, tenantId: string, subdomain: string): Promise<boolean> {
  const released = await tx
    .delete(formerSubdomain)
    .where(and(eq(formerSubdomain.subdomain, subdomain), eq(formerSubdomain.tenantId, tenantId)))
    .returning({ subdomain: formerSubdomain.subdomain })
  return released.length > 0
}

/** Stores the logo of a tenant, replacing an earlier one. */
export async function saveLogo(tx: Tx, tenantId: string, logo: { hash: string; image: Buffer }): Promise<void> {
  await tx
    .insert(tenantLogo)
    .values({ tenantId, ...logo })
    .onConflictDoUpdate({ target: tenantLogo.tenantId, set: logo })
}

/** Deletes the logo of a tenant. */
export async function deleteLogo(tx: Tx, tenantId: string): Promise<void> {
  await tx.delete(tenantLogo).where(eq(tenantLogo.tenantId, tenantId))
}
