import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { SMTPServer, type SMTPServerDataStream } from 'smtp-server'
import { config } from '../../config/config.ts'
import { reportServerError } from '../../http/error-report.ts'
import { Refusal } from '../../http/refusal.ts'
import { MINUTE_MS } from '../../shared/time.ts'
import { findRepliedMail } from '../reply-address.ts'
import { MAX_EMAIL_BYTES } from './limits.ts'
import type { MailClient } from './verify-worker.ts'

/** Each one may hold a complete email in memory. */
const MAX_CONNECTIONS = 16
const TIMEOUT_MS = MINUTE_MS

export interface InboundServer {
  port: number
  stop(): Promise<void>
}

interface InboundSettings {
  port: number
  host: string
  /** PEM files; without both of them STARTTLS is not offered. */
  keyFile?: string | undefined
  certFile?: string | undefined
}

/**
 * Starts an SMTP server for replies to emails. It relays nothing: only addresses with a signed token of this installation are
 * accepted, and `receive` gets the bytes of each email and the client that sent it. A refusal of `receive` is a permanent error for the sending server
 * (552, 554), unless too many were sent or another error occurred (451), after which it tries again.
 */
export async function startInboundServer(
  { port, host, keyFile, certFile }: InboundSettings,
  receive: (raw: Uint8Array, client: MailClient) => Promise<void>,
): Promise<InboundServer> {
  const tls = keyFile && certFile ? { key: readFileSync(keyFile), cert: readFileSync(certFile) } : null
  const server = new SMTPServer({
    ...tls,
    name: config.baseDomain,
    banner: 'Kafedra',
    authOptional: true,
    disabledCommands: tls ? ['AUTH'] : ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    logger: false,
    size: MAX_EMAIL_BYTES,
    maxClients: MAX_CONNECTIONS,
    socketTimeout: TIMEOUT_MS,
    onRcptTo: ({ address }, _session, done) => {
      done(findRepliedMail(address) ? null : smtpError(550, 'No such address'))
    },
    onData: (stream, session, done) => {
      const { remoteAddress: ip, hostNameAppearsAs: helo, envelope } = session
      const sender = envelope.mailFrom ? envelope.mailFrom.address : ''
      readAll(stream)
        .then((raw) => receive(raw, { ip, helo: helo || ip, sender }))
        .then(
          () => done(),
          (error: unknown) => done(toSmtpError(error)),
        )
    },
  })
  // Broken connections of clients.
  server.on('error', () => {})
  server.listen(port, host)
  await once(server.server, 'listening')
  const address = server.server.address()
  return {
    port: typeof address === 'object' && address ? address.port : port,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

async function readAll(stream: SMTPServerDataStream): Promise<Uint8Array> {
  const chunks: Buffer[] = []
  let size = 0
  // Read to the end, so that the client receives the response.
  for await (const chunk of stream) {
    size += chunk.length
    if (size <= MAX_EMAIL_BYTES) chunks.push(chunk)
  }
  if (size > MAX_EMAIL_BYTES || stream.sizeExceeded) throw new Refusal('too_large')
  return Buffer.concat(chunks)
}

function toSmtpError(error: unknown): Error {
  if (error instanceof Refusal) {
    if (error.code === 'too_large') return smtpError(552, 'The message is too large')
    if (error.code === 'too_many') return smtpError(451, 'Too many messages, try again later')
    return smtpError(554, 'The message cannot be read')
  }
  reportServerError(error, 'inbound mail')
  return smtpError(451, 'Try again later')
}

const smtpError = (responseCode: number, message: string): Error => Object.assign(new Error(message), { responseCode })
