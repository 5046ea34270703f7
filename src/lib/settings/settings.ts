import { desc, eq } from 'drizzle-orm'
import { recordAuditEntry } from '#lib/audit/audit.ts'
import type { AuditValues } from '#lib/audit/values-schema.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { enqueueJob } from '#lib/core/jobs/jobs.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { Locale } from '#lib/core/shared/locale.ts'
import { lockTenant, type TenantRow, updateTenant } from '#lib/tenant/settings.ts'
import { formerSubdomain, tenant, tenantDomain } from '#lib/tenant/table.ts'
import { type DomainView, toDomainView } from './domain-view.ts'
import { requireSettingsManager } from './permission.ts'
import type { UpdateSchool } from './schema.ts'

export interface SettingsView {
  revision: number
  name: string
  subdomain: string
  /** Subdomains that redirect to the current one, newest first. */
  formerSubdomains: string[]
  locale: Locale
  timeZone: string
  primaryColor: string | null
  logoHash: string | null
  replyTo: string | null
  domain: DomainView | null
}

/** The settings of the actor's school. Refuses with forbidden. */
export async function getSettings(actor: Actor): Promise<SettingsView> {
  requireSettingsManager(actor)
  return inTenant(actor, async (tx) => {
    const [rows, former, domains] = await Promise.all([
      tx.select().from(tenant).where(eq(tenant.id, actor.tenantId)),
      tx
        .select({ subdomain: formerSubdomain.subdomain })
        .from(formerSubdomain)
        .where(eq(formerSubdomain.tenantId, actor.tenantId))
        .orderBy(desc(formerSubdomain.replacedAt)),
      tx.select().from(tenantDomain).where(eq(tenantDomain.tenantId, actor.tenantId)),
    ])
    const [row] = rows
    if (!row) throw new Refusal('not_found')
    const { revision, name, subdomain, locale, timeZone, primaryColor, logoHash, replyTo } = row
    const [domain] = domains
    return {
      revision,
      name,
      subdomain,
      formerSubdomains: former.map((entry) => entry.subdomain),
      locale,
      timeZone,
      primaryColor,
      logoHash,
      replyTo,
      domain: domain ? toDomainView(domain, subdomain) : null,
    }
  })
}

/**
 * Changes name, language, time zone and color. Refuses with forbidden, and with conflict (settings_conflict) when the
 * settings have changed since the given revision.
 */
export async function updateSchool(actor: Actor, input: UpdateSchool): Promise<{ revision: number }> {
  requireSettingsManager(actor)
  const { revision, ...after } = input
  return inTenant(actor, async (tx) => {
    const before = await lockOwnTenant(tx, actor)
    if (before.revision !== revision) throw new Refusal('conflict', { fields: { form: ['settings_conflict'] } })
    const changed = changedFields(before, after)
    if (changed.length === 0) return { revision }
    await updateTenant(tx, actor.tenantId, after)
    await recordSettings(tx, actor, pick(before, changed), pick(after, changed))
    if (changed.includes('timeZone')) await enqueueJob('offer.moveRollups', { tenantId: actor.tenantId })
    return { revision: revision + 1 }
  })
}

/** Locks the row of the actor's tenant until the end of the transaction. */
export async function lockOwnTenant(tx: Tx, actor: Actor): Promise<TenantRow> {
  const row = await lockTenant(tx, actor.tenantId)
  if (!row) throw new Refusal('not_found')
  return row
}

/** Adds the change to the audit log. */
export function recordSettings(tx: Tx, actor: Actor, before: AuditValues, after: AuditValues): Promise<void> {
  return recordAuditEntry(tx, actor, {
    action: 'settings.changed',
    objectId: actor.tenantId,
    objectName: actor.tenantName,
    before,
    after,
  })
}

const FIELDS = ['name', 'locale', 'timeZone', 'primaryColor'] as const
type Field = (typeof FIELDS)[number]
type Fields = Record<Field, string | null>

const changedFields = (before: Fields, after: Fields): Field[] => FIELDS.filter((name) => before[name] !== after[name])
const pick = (values: Fields, names: Field[]): AuditValues =>
  Object.fromEntries(names.map((name) => [name, values[name]]))
