import { once } from 'node:events'
import net from 'node:net'
import tls from 'node:tls'
import { config } from '../config/config.ts'
import { Refusal } from '../http/refusal.ts'
import { needsUtf8 } from '../shared/text/email.ts'

/**
 * Makes sure that our mail server can write to an address that is about to be recorded. Refuses with invalid
 * (`fields.email`) when the part before the @ needs SMTPUTF8 and the server does not know it. A server that cannot be
 * asked now is given the benefit of the doubt: letters wait for it anyway.
 */
export async function mustReach(email: string): Promise<void> {
  if (await canReach(email)) return
  throw new Refusal('invalid', { fields: { email: ['email_not_latin'] } })
}

/** The same as an answer, for lists in which one bad line must not keep the others back. */
export async function canReach(email: string): Promise<boolean> {
  return !needsUtf8(email) || (await knowsUtf8())
}

const KNOWN_FOR_MS = 600_000
const PATIENCE_MS = 5000

let known: { answer: Promise<boolean | null>; until: number } | null = null

// Letters that lie in a folder need no server.
async function knowsUtf8(): Promise<boolean> {
  if (!config.smtpUrl) return true
  if (!known || known.until < Date.now()) {
    known = { answer: askServer(new URL(config.smtpUrl)), until: Date.now() + KNOWN_FOR_MS }
  }
  const answer = await known.answer
  if (answer === null) known = null
  return answer ?? true
}

/** What the server says after EHLO (RFC 5321, RFC 6531); null when it cannot be asked. */
async function askServer({ protocol, hostname, port }: URL): Promise<boolean | null> {
  const secure = protocol === 'smtps:'
  const host = hostname.replace(/^\[|\]$/g, '')
  const where = { host, port: Number(port || (secure ? 465 : 587)), timeout: PATIENCE_MS }
  const socket = secure ? tls.connect({ ...where, servername: host }) : net.connect(where)
  const signal = AbortSignal.timeout(PATIENCE_MS)
  try {
    await once(socket, secure ? 'secureConnect' : 'connect', { signal })
    if (!(await replyOf(socket, signal)).startsWith('220')) return null
    socket.write(`EHLO ${config.baseDomain}\r\n`)
    const reply = await replyOf(socket, signal)
    if (!reply.startsWith('250')) return null
    socket.end('QUIT\r\n')
    return /^250[ -]SMTPUTF8\b/im.test(reply)
  } catch {
    return null
  } finally {
    socket.destroy()
  }
}

/** All lines of one reply; its last line has a blank behind the code. */
async function replyOf(socket: net.Socket, signal: AbortSignal): Promise<string> {
  let reply = ''
  while (!/^\d{3} .*\r?\n$/m.test(reply) && reply.length < 10_000) {
    const [piece] = await once(socket, 'data', { signal })
    reply += String(piece)
  }
  return reply
}
