import { desc, eq } from 'drizzle-orm'
import { inSystem, inTenant } from '#lib/core/db/db.ts'
import { mail } from '#lib/core/mail/table.ts'

export interface SentEmail {
  subject: string
  text: string
  html: string
  locale: string
  /** The six digits in the email, or an empty string. */
  code: string
  /** The URL of the button, or an empty string. */
  link: string
}

/** Emails to an address, newest first; those of a school when its id is given. */
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

/** The newest email to an address. */
export async function newestEmailTo(to: string, tenantId?: string): Promise<SentEmail> {
  const [letter] = await listEmailsTo(to, tenantId)
  if (!letter) throw new Error(`no letter to ${to}`)
  return letter
}
