import { and, eq, gt, inArray, isNull, ne, sql } from 'drizzle-orm'
import { inSystem, inTenant, type Tx } from '../db/db.ts'
import { enqueueJob } from '../jobs/jobs.ts'
import type { Locale } from '../shared/locale.ts'
import { DAY_MS } from '../shared/time.ts'
import type { EmailBody } from './email-body.ts'
import { type Attachment, mail } from './table.ts'

export interface OutgoingEmail {
  /** The tenant that sends it; null for emails about an account. */
  tenantId: string | null
  to: string
  locale: Locale
  subject: string
  body: EmailBody
  /** A second email with this key is dropped, so that one cause sends one email. */
  onceKey?: string
  attachments?: Attachment[]
  /** Where mail programs may unsubscribe with one POST; the email gets the headers of RFC 8058. */
  unsubscribe?: string
  /** A reply to the email is handled by the installation: see `reply-address.ts`. */
  acceptsReplies?: boolean
  /** Not sent before this instant; until then `recallEmails` can cancel it. */
  sendAfter?: Date
}

/**
 * Adds an email to the outbox and its delivery to the job queue in the surrounding transaction: it is sent if and only if
 * the transaction is committed. Throws TypeError on an address that could contain a second recipient or a header.
 */
export function sendEmail(outgoing: OutgoingEmail): Promise<void> {
  return queueEmail(outgoing).then(() => undefined)
}

/** As sendEmail; returns the id of the email in the outbox, or null when its `onceKey` was used before. */
export function queueEmail(outgoing: OutgoingEmail): Promise<string | null> {
  const { tenantId, to, locale, body: email, onceKey, attachments, unsubscribe, acceptsReplies, sendAfter } = outgoing
  if (!ADDRESS.test(to) || to.length > 254) throw new TypeError('not an e-mail address')
  const subject = outgoing.subject.replace(CONTROLS, ' ').trim()
  return inTenantOrSystem(tenantId, async (tx) => {
    const row = {
      tenantId,
      to,
      locale,
      subject,
      html: email.html,
      text: email.text,
      onceKey: onceKey ?? null,
      attachments: attachments ?? null,
      unsubscribe: unsubscribe ?? null,
      acceptsReplies: acceptsReplies ?? false,
      sendAfter: sendAfter ?? null,
    }
    const [queued] = await tx.insert(mail).values(row).onConflictDoNothing().returning({ id: mail.id })
    if (!queued) return null
    await enqueueJob('mail.deliver', { tenantId, mailId: queued.id }, sendAfter ? { startAfter: sendAfter } : {})
    return queued.id
  })
}

/** Cancels emails that are not sent yet. Returns their ids. */
export async function recallEmails(tx: Tx, mailIds: string[]): Promise<string[]> {
  if (mailIds.length === 0) return []
  // An email that is being sent is locked and can no longer be recalled.
  const waiting = tx
    .select({ id: mail.id })
    .from(mail)
    .where(and(inArray(mail.id, mailIds), eq(mail.status, 'queued'), eq(mail.attempts, 0)))
    .for('update', { skipLocked: true })
  const recalled = await tx
    .update(mail)
    .set({ status: 'recalled' })
    .where(inArray(mail.id, waiting))
    .returning({ id: mail.id })
  return recalled.map(({ id }) => id)
}

/**
 * Stores a report of a mail server about a sent email. A bounce may follow a delivery report; repeated and late reports
 * change nothing.
 */
export async function setReportedStatus(
  { tenantId, mailId }: { tenantId: string | null; mailId: string },
  status: 'delivered' | 'bounced' | 'failed',
  error: string | null,
): Promise<void> {
  const earlier: ('sent' | 'delivered')[] = status === 'delivered' ? ['sent'] : ['sent', 'delivered']
  await inTenantOrSystem(tenantId, (tx) =>
    tx
      .update(mail)
      .set({ status, error })
      .where(and(eq(mail.id, mailId), inArray(mail.status, earlier))),
  )
}

/** Replaces an erased address; the domain `.invalid` cannot be resolved. */
const ERASED_ADDRESS = 'erased@deleted.invalid'

/**
 * Removes address and content of the emails that a school, or the installation with null, has sent to a person. Waiting
 * emails of a school are recalled; those of the installation, such as the confirmation of the deletion, are sent first:
 * see `eraseEmailsByKey`.
 */
export async function eraseEmails(tx: Tx, { tenantId, to }: { tenantId: string | null; to: string }): Promise<void> {
  const isTo = and(tenantId ? eq(mail.tenantId, tenantId) : isNull(mail.tenantId), eq(mail.to, to))
  if (tenantId) {
    await tx
      .update(mail)
      .set({ status: 'recalled' })
      .where(and(isTo, eq(mail.status, 'queued')))
  }
  await tx
    .update(mail)
    .set(ERASED)
    .where(and(isTo, ne(mail.status, 'queued')))
}

/**
 * The same for emails of the installation whose `onceKey` starts with `prefix`, after they were sent. Returns their
 * number.
 */
export function eraseEmailsByKey(prefix: string): Promise<number> {
  return inSystem(async (tx) => {
    const erased = await tx
      .update(mail)
      .set(ERASED)
      .where(
        and(
          isNull(mail.tenantId),
          // Only the latest rows are read: the job runs every hour.
          gt(mail.createdAt, new Date(Date.now() - 14 * DAY_MS)),
          sql`starts_with(${mail.onceKey}, ${prefix})`,
          ne(mail.status, 'queued'),
          ne(mail.to, ERASED_ADDRESS),
        ),
      )
      .returning({ id: mail.id })
    return erased.length
  })
}

const ERASED = {
  to: ERASED_ADDRESS,
  subject: '',
  html: '',
  text: '',
  attachments: null,
  unsubscribe: null,
  error: null,
}

/** Runs SQL on the emails of a tenant, or on those without a tenant. */
export function inTenantOrSystem<T>(tenantId: string | null, run: (tx: Tx) => Promise<T>): Promise<T> {
  return tenantId === null ? inSystem(run) : inTenant({ tenantId }, run)
}

// One recipient and no header: no blanks, control characters, double quotes, brackets or separators. Inputs are
// validated by stricter rules.
const ADDRESS = /^[^\s\p{C}"(),:;<>@[\\\]]+@[^\s\p{C}"(),:;<>@[\\\]]+$/u
const CONTROLS = /[\p{Cc}\u2028\u2029]+/gu
