import { parseHost, subdomainOf } from '#lib/core/access/host.ts'
import { config } from '#lib/core/config/config.ts'
import { cookieOf, TOKEN_COOKIE, tokenOf } from '#lib/core/http/cookies.ts'
import type { SessionInfo } from './schema.ts'
import { findActor } from './session.ts'
import { getSessionInfo } from './session-info.ts'

export const SESSION_INFO_PATH = '/v1/module/user/getSessionInfo'

/**
 * The answer of getSessionInfo for a request with a good token, or null: then the API door answers, with its words. It is
 * the call that every client makes first and most, and the renderer would cost more than the answer.
 */
export async function handleSessionInfoCall(
  host: string,
  authorization: string | undefined,
  cookies: string | undefined,
): Promise<SessionInfo | null> {
  const place = parseHost(host, config.baseDomain)
  const token = tokenOf(authorization, cookieOf(cookies, TOKEN_COOKIE))
  if (!token || place.kind === 'unknown') return null
  const actor = await findActor(token, subdomainOf(place))
  if (!actor || (place.kind === 'school' && place.subdomain !== actor.subdomain)) return null
  return getSessionInfo(actor)
}

/** Whether the session of a token lasts and its person still belongs to a school: not blocked, not removed. */
export async function isSessionAlive(token: string, tenantId: string): Promise<boolean> {
  const actor = await findActor(token, '')
  return actor?.memberships.some((membership) => membership.tenantId === tenantId) ?? false
}
