import { and, eq, inArray } from 'drizzle-orm'
import { inSystem, inTenant, type Tx } from '../db/db.ts'
import { enqueueJob } from '../jobs/jobs.ts'
import type { Locale } from '../shared/locale.ts'
import type { Letter } from './letter.ts'
import { type Attachment, mail } from './table.ts'

export interface Outgoing {
  /** The school that writes; null for letters about an account. */
  tenantId: string | null
  to: string
  locale: Locale
  subject: string
  letter: Letter
  /** The same cause sends once: a second letter with this key is dropped in silence. */
  onceKey?: string
  attachments?: Attachment[]
  /** Where mail programs may unsubscribe with one POST; the letter gets the headers of RFC 8058. */
  unsubscribe?: string
  /** Leaves not before this instant; until then `recallMail` can take it back. */
  sendAfter?: Date
}

/**
 * Puts a letter into the outbox and its delivery into the queue, in the surrounding transaction: it leaves if and only
 * if the change is committed. Throws TypeError on an address that could name a second recipient or a header.
 */
export function sendMail(outgoing: Outgoing): Promise<void> {
  return queueMail(outgoing).then(() => undefined)
}

/** The same; gives the id of the letter in the outbox, or null when its cause has sent one before. */
export function queueMail(outgoing: Outgoing): Promise<string | null> {
  const { tenantId, to, locale, letter, onceKey, attachments, unsubscribe, sendAfter } = outgoing
  if (!ADDRESS.test(to) || to.length > 254) throw new TypeError('not an e-mail address')
  const subject = outgoing.subject.replace(CONTROLS, ' ').trim()
  return inScope(tenantId, async (tx) => {
    const row = {
      tenantId,
      to,
      locale,
      subject,
      html: letter.html,
      text: letter.text,
      onceKey: onceKey ?? null,
      attachments: attachments ?? null,
      unsubscribe: unsubscribe ?? null,
      sendAfter: sendAfter ?? null,
    }
    const [queued] = await tx.insert(mail).values(row).onConflictDoNothing().returning({ id: mail.id })
    if (!queued) return null
    await enqueueJob('mail.deliver', { tenantId, mailId: queued.id }, sendAfter ? { startAfter: sendAfter } : {})
    return queued.id
  })
}

/** Takes back letters that have not left yet. Gives the ids of those. */
export async function recallMail(tx: Tx, mailIds: string[]): Promise<string[]> {
  if (mailIds.length === 0) return []
  const taken = await tx
    .update(mail)
    .set({ status: 'recalled' })
    .where(and(inArray(mail.id, mailIds), eq(mail.status, 'queued'), eq(mail.attempts, 0)))
    .returning({ id: mail.id })
  return taken.map(({ id }) => id)
}

/** Runs SQL on the letters of a school, or on those of no school. */
export function inScope<T>(tenantId: string | null, run: (tx: Tx) => Promise<T>): Promise<T> {
  return tenantId === null ? inSystem(run) : inTenant({ tenantId }, run)
}

// One recipient and no header: no blanks, controls, double quotes, brackets, separators. Stricter rules stand at the doors.
const ADDRESS = /^[^\s\p{C}"(),:;<>@[\\\]]+@[^\s\p{C}"(),:;<>@[\\\]]+$/u
const CONTROLS = /[\p{Cc}\u2028\u2029]+/gu
