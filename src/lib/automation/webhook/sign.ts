import { createHmac, randomBytes } from 'node:crypto'
import { decrypt, encrypt } from '#lib/core/encryption.ts'

const PURPOSE = 'automation webhook'
const PREFIX = 'whsec_'

/** A new secret of an automation, encrypted for its row. */
export const createWebhookSecret = (): string => encrypt(PURPOSE, PREFIX + randomBytes(32).toString('base64'))

/** The secret of a row as the receiver is given it; null when it cannot be read, e.g. after a change of the key. */
export const readWebhookSecret = (stored: string): string | null => decrypt(PURPOSE, stored)

/**
 * The headers of a signed request by the rules of Standard Webhooks (www.standardwebhooks.com): HMAC-SHA-256 of id,
 * time and body, so that the receiver can check who sent it, refuse old requests and omit those it has received. With
 * several secrets there is a signature of each; the receiver needs to know one of them.
 */
export function signWebhook(
  secrets: readonly string[],
  { id, body, at }: { id: string; body: string; at: Date },
): Record<string, string> {
  const timestamp = Math.floor(at.getTime() / 1000)
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
  })
  return { 'webhook-id': id, 'webhook-timestamp': String(timestamp), 'webhook-signature': signatures.join(' ') }
}
