import { and, eq } from 'drizzle-orm'
import type { Transporter } from 'nodemailer'
import { config } from '../config/config.ts'
import type { JobRun } from '../jobs/jobs.ts'
import { inScope } from './mail.ts'
import { keepLetter } from './outbox.ts'
import { type Attachment, mail } from './table.ts'

interface Delivery {
  tenantId: string | null
  mailId: string
}

/**
 * Sends one letter of the outbox: by SMTP_URL, else as files. The row stays locked meanwhile, so that of two workers one
 * sends; a letter that was sent or given up is left alone. Throws when the mail server asks to try again later.
 */
export async function deliver({ tenantId, mailId }: Delivery, { last }: Pick<JobRun, 'last'>): Promise<void> {
  const trouble = await inScope(tenantId, async (tx) => {
    const mine = and(eq(mail.id, mailId), eq(mail.status, 'queued'))
    const [letter] = await tx.select().from(mail).where(mine).for('update', { skipLocked: true })
    if (!letter) return null
    const attempts = letter.attempts + 1
    const failure = await sendOut(letter)
    const outcome = failure
      ? { status: failure.permanent || last ? ('failed' as const) : ('queued' as const), error: failure.message }
      : { status: 'sent' as const, sentAt: new Date(), error: null }
    await tx
      .update(mail)
      .set({ attempts, ...outcome })
      .where(eq(mail.id, mailId))
    return failure
  })
  if (trouble && !trouble.permanent) throw trouble
}

class Undelivered extends Error {
  readonly permanent: boolean

  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause })
    this.permanent = refusesForGood(cause)
  }
}

// A 5xx to the envelope or the message is about this letter; one to our own sign-in is about the configuration.
function refusesForGood(cause: unknown): boolean {
  if (!(cause instanceof Error && 'code' in cause && 'responseCode' in cause)) return false
  return (cause.code === 'EENVELOPE' || cause.code === 'EMESSAGE') && Number(cause.responseCode) >= 500
}

// Below the minute after which PostgreSQL ends a transaction that waits, and long enough for greylisting servers.
const PATIENCE_MS = 45_000
const timeouts = { connectionTimeout: 10_000, greetingTimeout: 15_000, socketTimeout: 30_000, dnsTimeout: 10_000 }

let transport: Transporter | undefined

async function sendOut(letter: typeof mail.$inferSelect): Promise<Undelivered | null> {
  try {
    if (!config.smtpUrl) await keepLetter(letter)
    else await post(config.smtpUrl, letter)
    return null
  } catch (error) {
    return new Undelivered(error)
  }
}

async function post(smtpUrl: string, letter: typeof mail.$inferSelect): Promise<void> {
  const { id, to, subject, html, text, unsubscribe } = letter
  const { createTransport } = await import('nodemailer')
  transport ??= createTransport({ url: smtpUrl, ...timeouts })
  await transport.sendMail({
    from: config.mailFrom,
    to: { name: '', address: to },
    subject,
    html,
    text,
    // The same at every try: a server that took the letter just before we died can tell that it has it.
    messageId: `<${id}@${config.baseDomain}>`,
    headers: {
      'Auto-Submitted': 'auto-generated',
      ...(unsubscribe && { 'List-Unsubscribe': `<${unsubscribe}>`, 'List-Unsubscribe-Post': ONE_CLICK }),
    },
    ...enclosed(letter.attachments ?? []),
    signal: AbortSignal.timeout(PATIENCE_MS),
  })
}

const ONE_CLICK = 'List-Unsubscribe=One-Click'

// An invitation stands among the forms of the letter, for programs that show it, and as a file, for those that don't.
function enclosed(attachments: Attachment[]) {
  const invitation = attachments.find(({ method }) => method)
  const files = attachments.filter((one) => one !== invitation)
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
