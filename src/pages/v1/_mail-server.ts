import { createHash, timingSafeEqual } from 'node:crypto'
import { config } from '#lib/core/config/config.ts'
import { Refusal } from '#lib/core/http/refusal.ts'

/** Refuses with unauthorized without the secret of the mail server, and with not_found when none is configured. */
export function requireMailServer(request: Request): void {
  if (!config.mailReportSecret) throw new Refusal('not_found')
  const [, secret = ''] = /^Bearer (.+)$/.exec(request.headers.get('authorization') ?? '') ?? []
  if (!timingSafeEqual(hashOf(secret), hashOf(config.mailReportSecret))) throw new Refusal('unauthorized')
}

const hashOf = (text: string): Buffer => createHash('sha256').update(text).digest()
