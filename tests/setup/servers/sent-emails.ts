import { desc, eq } from 'drizzle-orm'
import { inSystem, inTenant } from '#lib/core/db/db.ts'
import { mail } from '#lib/core/mail/table.ts'

export interface SentEmail {
  subject: string
  text: string
  html: string
  locale: string
  /** The six digits of the letter, or nothing. */
  code: string
  /** The address behind the button, or nothing. */
  link: string
}

/** Letters to an address, the newest first; those of a school when its id is given. */
export async function listEmailsTo(to: string, tenantId?: string): Promise<SentEmail[]> {
  const read = (tx: Parameters<Parameters<typeof inSystem>[0]>[0]) =>
    tx.select().from(mail).where(eq(mail.to, to)).orderBy(desc(mail.id))
  const rows = await (tenantId ? inTenant({ tenantId }, read) : inSystem(read))
  return rows.map(({ subject, text, html, locale }) => ({
    subject,
    text,
    html,
    locale,
    code: /^\d{6}$/m.exec(text)?.[0] ?? '',
    link: /https?:\/\/\S+/.exec(text)?.[0] ?? '',
  }))
}

/** The newest letter to an address. */
export async function newestEmailTo(to: string, tenantId?: string): Promise<SentEmail> {
  const [letter] = await listEmailsTo(to, tenantId)
  if (!letter) throw new Error(`no letter to ${to}`)
  return letter
}
