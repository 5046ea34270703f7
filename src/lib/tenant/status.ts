import { and, asc, eq, gt, ilike, or } from 'drizzle-orm'
import { inSystem } from '#lib/core/db/db.ts'
import { tenant } from './table.ts'

export interface ListedTenant {
  id: string
  subdomain: string
  name: string
  status: 'active' | 'suspended' | 'deleted'
  createdAt: Date
}

const columns = {
  id: tenant.id,
  subdomain: tenant.subdomain,
  name: tenant.name,
  status: tenant.status,
  createdAt: tenant.createdAt,
}

/** Tenants in any status, by subdomain, after the one of `after`; with `search` those whose name or subdomain contains it. */
export function listTenants(page: { after: string; search: string; limit: number }): Promise<ListedTenant[]> {
  const pattern = `%${page.search.replace(/[\\%_]/g, '\\$&')}%`
  const matches = page.search ? or(ilike(tenant.name, pattern), ilike(tenant.subdomain, pattern)) : undefined
  return inSystem((tx) =>
    tx
      .select(columns)
      .from(tenant)
      .where(and(gt(tenant.subdomain, page.after), matches))
      .orderBy(asc(tenant.subdomain))
      .limit(page.limit),
  )
}

/** The tenant with this subdomain in any status, or null. */
export async function findAnyTenant(subdomain: string): Promise<ListedTenant | null> {
  const [row] = await inSystem((tx) => tx.select(columns).from(tenant).where(eq(tenant.subdomain, subdomain)))
  return row ?? null
}

/** Suspends or restores a tenant, in the surrounding transaction. Returns false when it is in that status already. */
export function setTenantStatus(tenantId: string, from: 'active' | 'suspended', to: 'active' | 'suspended') {
  return inSystem(async (tx) => {
    const rows = await tx
      .update(tenant)
      .set({ status: to })
      .where(and(eq(tenant.id, tenantId), eq(tenant.status, from)))
      .returning({ id: tenant.id })
    return rows.length > 0
  })
}

/** Whether a tenant is neither suspended nor deleted. */
export async function isActiveTenant(tenantId: string): Promise<boolean> {
  const [row] = await inSystem((tx) => tx.select({ status: tenant.status }).from(tenant).where(eq(tenant.id, tenantId)))
  return row?.status === 'active'
}

/** Whether the school of a subdomain is suspended. */
export async function isSuspended(subdomain: string): Promise<boolean> {
  return (await findAnyTenant(subdomain))?.status === 'suspended'
}
