import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { domainToASCII } from 'node:url'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import { portOf } from './port.ts'

interface ReceivedEmail extends Email {
  /** Addresses of the envelope: the actual recipients. */
  recipients: string[]
}

export interface MailServer {
  /** The value of SMTP_URL. */
  url: string
  emails: ReceivedEmail[]
  /** The next email to that address that was not returned before. Throws after `timeoutMs` milliseconds. */
  waitForMail(to: string, timeoutMs?: number): Promise<ReceivedEmail>
  /** Sets the response to the next emails: a text is a temporary refusal (451), null accepts again. */
  refuse(reason: string | null): void
  /** Whether emails that were received are answered with a temporary error, like a confirmation that is lost. */
  loseConfirmations(isLost: boolean): void
  stop(): Promise<void>
}

/**
 * A real SMTP server on a free port of the loopback that stores received emails; without `utf8` it does not support
 * SMTPUTF8.
 */
export async function startMailServer({ utf8 = true }: { utf8?: boolean } = {}): Promise<MailServer> {
  const emails: ReceivedEmail[] = []
  const received = new Set<ReceivedEmail>()
  const arrivals = new EventTarget()
  let refusal: string | null = null
  let isConfirmationLost = false
  const server = new SMTPServer({
    authOptional: true,
    hideSMTPUTF8: !utf8,
    disabledCommands: ['AUTH', 'STARTTLS'],
    logger: false,
    onRcptTo: (_address, _session, done) => {
      if (refusal === null) return done()
      done(Object.assign(new Error(refusal), { responseCode: 451 }))
    },
    onData: (stream, session, done) => {
      const recipients = session.envelope.rcptTo.map(({ address }) => asciiOf(address))
      read(stream).then((letter) => {
        emails.push({ ...letter, recipients })
        arrivals.dispatchEvent(new Event('letter'))
        done(isConfirmationLost ? Object.assign(new Error('lost'), { responseCode: 451 }) : null)
      }, done)
    },
  })
  server.on('error', () => {})
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')

  return {
    url: `smtp://127.0.0.1:${portOf(server.server)}`,
    emails,
    async waitForMail(to, timeoutMs = 10_000) {
      const signal = AbortSignal.timeout(timeoutMs)
      for (;;) {
        const letter = emails.find((email) => !received.has(email) && email.recipients.includes(to.toLowerCase()))
        if (letter) {
          received.add(letter)
          return letter
        }
        await next(arrivals, signal, `no letter to ${to} within ${timeoutMs} ms`)
      }
    },
    refuse: (reason) => {
      refusal = reason
    },
    loseConfirmations: (isLost) => {
      isConfirmationLost = isLost
    },
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

// The SMTP server decodes `xn--`.
function asciiOf(address: string): string {
  const [local = '', domain = ''] = address.toLowerCase().split('@')
  return `${local}@${domainToASCII(domain)}`
}

async function read(stream: Readable): Promise<Email> {
  return PostalMime.parse(Buffer.concat(await stream.toArray()))
}

function next(arrivals: EventTarget, signal: AbortSignal, otherwise: string): Promise<void> {
  return new Promise((resolve, reject) => {
    arrivals.addEventListener('letter', () => resolve(), { once: true })
    signal.addEventListener('abort', () => reject(new Error(otherwise)), { once: true })
  })
}
