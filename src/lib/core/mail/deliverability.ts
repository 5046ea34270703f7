import { once } from 'node:events'
import net from 'node:net'
import tls from 'node:tls'
import { config } from '../config/config.ts'
import { Refusal } from '../http/refusal.ts'
import { needsUtf8 } from '../shared/text/email.ts'

/**
 * Checks that the mail server can deliver to an address before it is stored. Refuses with invalid (`fields.email`) when
 * the part before the @ needs SMTPUTF8 and the server does not support it. A server that cannot be reached counts as
 * supporting it, because emails wait for it anyway.
 */
export async function requireDeliverable(email: string): Promise<void> {
  if (await canDeliverTo(email)) return
  throw new Refusal('invalid', { fields: { email: ['email_not_latin'] } })
}

/** The same check without a refusal, for lists in which one invalid row must not block the others. */
export async function canDeliverTo(email: string): Promise<boolean> {
  return !needsUtf8(email) || (await supportsUtf8())
}

const CACHE_MS = 600_000
const TIMEOUT_MS = 5000

let cached: { isSupported: Promise<boolean | null>; expiresAt: number } | null = null

// Emails that are written to a folder need no server.
async function supportsUtf8(): Promise<boolean> {
  if (!config.smtpUrl) return true
  if (!cached || cached.expiresAt < Date.now()) {
    cached = { isSupported: queryServer(new URL(config.smtpUrl)), expiresAt: Date.now() + CACHE_MS }
  }
  const isSupported = await cached.isSupported
  if (isSupported === null) cached = null
  return isSupported ?? true
}

/** Whether the reply to EHLO lists SMTPUTF8 (RFC 5321, RFC 6531); null when the server cannot be reached. */
async function queryServer({ protocol, hostname, port }: URL): Promise<boolean | null> {
  const isSecure = protocol === 'smtps:'
  const host = hostname.replace(/^\[|\]$/g, '')
  const target = { host, port: Number(port || (isSecure ? 465 : 587)), timeout: TIMEOUT_MS }
  const socket = isSecure ? tls.connect({ ...target, servername: host }) : net.connect(target)
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  try {
    await once(socket, isSecure ? 'secureConnect' : 'connect', { signal })
    if (!(await readReply(socket, signal)).startsWith('220')) return null
    socket.write(`EHLO ${config.baseDomain}\r\n`)
    const reply = await readReply(socket, signal)
    if (!reply.startsWith('250')) return null
    socket.end('QUIT\r\n')
    return /^250[ -]SMTPUTF8\b/im.test(reply)
  } catch {
    return null
  } finally {
    socket.destroy()
  }
}

/** Reads all lines of one reply; the last line has a space after the code. */
async function readReply(socket: net.Socket, signal: AbortSignal): Promise<string> {
  let reply = ''
  while (!/^\d{3} .*\r?\n$/m.test(reply) && reply.length < 10_000) {
    const [chunk] = await once(socket, 'data', { signal })
    reply += String(chunk)
  }
  return reply
}
