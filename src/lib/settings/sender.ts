import { eq } from 'drizzle-orm'
import { addressOf } from '#lib/core/config/config.ts'
import { inSystem } from '#lib/core/db/db.ts'
import type { EmailSender } from '#lib/core/mail/sender.ts'
import { logoPath } from '#lib/tenant/brand.ts'
import { createBrandPalette } from '#lib/tenant/brand-color.ts'
import { tenant } from '#lib/tenant/table.ts'

/** Name, reply address and brand of the school that sends an email. */
export async function readEmailSender(tenantId: string): Promise<EmailSender | null> {
  const [row] = await inSystem((tx) => tx.select().from(tenant).where(eq(tenant.id, tenantId)))
  if (!row) return null
  const path = logoPath(row)
  return {
    name: row.name,
    replyTo: row.replyTo,
    color: row.primaryColor ? createBrandPalette(row.primaryColor) : null,
    logoUrl: path && addressOf(row.subdomain, path),
  }
}
