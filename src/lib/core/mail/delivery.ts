import { and, eq } from 'drizzle-orm'
import type { Transporter } from 'nodemailer'
import { config } from '../config/config.ts'
import type { JobRun } from '../jobs/jobs.ts'
import { forgetConfirmation, isConfirmed, recordConfirmation } from './confirmation.ts'
import { brandEmail } from './email-body.ts'
import { inTenantOrSystem } from './mail.ts'
import { saveEmail } from './outbox.ts'
import { replyAddressOf } from './reply-address.ts'
import { isAddressFailure, returnPathOf } from './return-path.ts'
import type { EmailSender, ReadEmailSender } from './sender.ts'
import { type Attachment, mail } from './table.ts'

interface Delivery {
  tenantId: string | null
  mailId: string
}

/**
 * Sends one email of the outbox by SMTP_URL, or writes it to files without one. The row is locked meanwhile, so that
 * only one worker sends it; an email that was sent or failed is skipped, and one that the server has confirmed before is
 * not sent again. Emails of a tenant have its name, reply address and brand. Throws when the mail server responds with a
 * temporary error.
 */
export async function deliverEmail(
  { tenantId, mailId }: Delivery,
  { isLastAttempt }: Pick<JobRun, 'isLastAttempt'>,
  readSender: ReadEmailSender = async () => null,
): Promise<void> {
  const sender = tenantId === null ? null : await readSender(tenantId)
  const { failure, isEnded } = await inTenantOrSystem(tenantId, async (tx) => {
    const isQueued = and(eq(mail.id, mailId), eq(mail.status, 'queued'))
    const [email] = await tx.select().from(mail).where(isQueued).for('update', { skipLocked: true })
    // Without a row another worker sends it, or it has ended.
    if (!email) return { failure: null, isEnded: (await tx.$count(mail, isQueued)) === 0 }
    const attempts = email.attempts + 1
    const sendFailure = (await isConfirmed(mailId)) ? null : await sendOrSave(email, sender)
    const outcome = sendFailure
      ? {
          status: sendFailure.isBounce
            ? ('bounced' as const)
            : sendFailure.isPermanent || isLastAttempt
              ? ('failed' as const)
              : ('queued' as const),
          error: sendFailure.message,
        }
      : { status: 'sent' as const, sentAt: new Date(), error: null }
    await tx
      .update(mail)
      .set({ attempts, ...outcome })
      .where(eq(mail.id, mailId))
    return { failure: sendFailure, isEnded: sendFailure === null }
  })
  if (isEnded) await forgetConfirmation(mailId)
  if (failure && !failure.isPermanent) throw failure
}

class DeliveryError extends Error {
  readonly isPermanent: boolean
  /** The server permanently rejected the address of the recipient. */
  readonly isBounce: boolean

  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause })
    this.isPermanent = isPermanentRefusal(cause)
    this.isBounce = this.isPermanent && isAddressRefusal(cause)
  }
}

// A 5xx reply to the envelope or the message concerns this email; one to the authentication concerns the configuration.
function isPermanentRefusal(cause: unknown): boolean {
  if (!(cause instanceof Error && 'code' in cause && 'responseCode' in cause)) return false
  return (cause.code === 'EENVELOPE' || cause.code === 'EMESSAGE') && Number(cause.responseCode) >= 500
}

function isAddressRefusal(cause: unknown): boolean {
  if (!(cause instanceof Error && 'command' in cause && cause.command === 'RCPT TO')) return false
  return isAddressFailure('response' in cause ? String(cause.response) : '')
}

// Below the minute after which PostgreSQL ends a transaction that waits, and long enough for greylisting servers.
const SEND_TIMEOUT_MS = 45_000
const timeouts = { connectionTimeout: 10_000, greetingTimeout: 15_000, socketTimeout: 30_000, dnsTimeout: 10_000 }

let transport: Transporter | undefined

async function sendOrSave(email: typeof mail.$inferSelect, sender: EmailSender | null): Promise<DeliveryError | null> {
  const branded = sender ? { ...email, html: brandEmail(email.html, sender) } : email
  try {
    if (!config.smtpUrl) await saveEmail(branded)
    else await sendBySmtp(config.smtpUrl, branded, sender)
  } catch (error) {
    return new DeliveryError(error)
  }
  if (config.smtpUrl) await recordConfirmation(email.id)
  return null
}

async function sendBySmtp(smtpUrl: string, email: typeof mail.$inferSelect, sender: EmailSender | null): Promise<void> {
  const { id, to, subject, html, text, unsubscribe } = email
  const replyTo = (email.acceptsReplies && replyAddressOf(email)) || sender?.replyTo
  const { createTransport } = await import('nodemailer')
  transport ??= createTransport({ url: smtpUrl, ...timeouts })
  await transport.sendMail({
    // The address is always that of the installation, for which SPF and DKIM are configured; the name is that of the
    // school.
    from: sender ? { name: sender.name, address: SENDER_ADDRESS } : config.mailFrom,
    ...(replyTo && { replyTo: { name: sender?.name ?? '', address: replyTo } }),
    to: { name: '', address: to },
    ...envelopeOf(email),
    subject,
    html,
    text,
    // The same for every attempt: a server that accepted the email before a crash of this process can detect the duplicate.
    messageId: `<${id}@${config.baseDomain}>`,
    headers: {
      'Auto-Submitted': 'auto-generated',
      ...(unsubscribe && { 'List-Unsubscribe': `<${unsubscribe}>`, 'List-Unsubscribe-Post': ONE_CLICK }),
    },
    ...attachmentFields(email.attachments ?? []),
    signal: AbortSignal.timeout(SEND_TIMEOUT_MS),
  })
}

// With a return path, the server of the recipient sends delivery reports to it (RFC 3461).
function envelopeOf({ id, to, tenantId }: typeof mail.$inferSelect) {
  const from = returnPathOf({ id, tenantId })
  if (!from) return {}
  return {
    envelope: { from, to },
    dsn: { id, return: 'headers', notify: ['success', 'failure'], recipient: `rfc822;${to}` },
  }
}

const SENDER_ADDRESS = /<([^<>]+)>/.exec(config.mailFrom)?.[1] ?? config.mailFrom
const ONE_CLICK = 'List-Unsubscribe=One-Click'

// A calendar invitation is added twice: as an alternative part, for programs that display it, and as an attachment for
// others.
function attachmentFields(attachments: Attachment[]) {
  const invitation = attachments.find(({ method }) => method)
  const files = attachments.filter((attachment) => attachment !== invitation)
  return {
    attachments: files.map(({ filename, type, content }) => ({
      filename,
      contentType: type,
      content,
      encoding: 'base64',
    })),
    ...(invitation && {
      icalEvent: {
        method: invitation.method,
        filename: invitation.filename,
        content: invitation.content,
        encoding: 'base64',
      },
    }),
  }
}
