import { Refusal } from '#lib/core/http/refusal.ts'
import { getTenant, type TenantView } from '#lib/tenant/tenant.ts'

/**
 * The school of a public page with its brand: that of the host, or on the students' host the school of the signed-in
 * student. Refuses with not_found without a school.
 */
export async function schoolOfPage({ school, host, actor }: App.Locals): Promise<TenantView> {
  if (school?.locale) return school
  const tenantId = school?.id ?? (host.kind === 'go' ? actor?.tenantId : undefined)
  if (tenantId === undefined) throw new Refusal('not_found')
  return getTenant(tenantId)
}
