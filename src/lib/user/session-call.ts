import { parseHost, subdomainOf } from '#lib/core/access/host.ts'
import { config } from '#lib/core/config/config.ts'
import { cookieOf, TOKEN_COOKIE, tokenOf } from '#lib/core/http/cookies.ts'
import type { SessionInfo } from './schema.ts'
import { findActor } from './session.ts'
import { getSessionInfo } from './session-info.ts'

export const SESSION_INFO_PATH = '/v1/module/user/getSessionInfo'

/**
 * The response of getSessionInfo for a request with a valid token; null otherwise: then the API handler responds. It is
 * the most frequent call, and the overhead of the renderer would be larger than the call itself.
 */
export async function handleSessionInfoCall(
  host: string,
  authorization: string | undefined,
  cookies: string | undefined,
): Promise<SessionInfo | null> {
  const requestHost = parseHost(host, config.baseDomain)
  const token = tokenOf(authorization, cookieOf(cookies, TOKEN_COOKIE))
  if (!token || requestHost.kind === 'unknown') return null
  const actor = await findActor(token, subdomainOf(requestHost))
  if (!actor || (requestHost.kind === 'school' && requestHost.subdomain !== actor.subdomain)) return null
  return getSessionInfo(actor)
}

/** Whether the session of a token is valid and its user is still an active member of the tenant. */
export async function isSessionAlive(token: string, tenantId: string): Promise<boolean> {
  const actor = await findActor(token, '')
  return actor?.memberships.some((membership) => membership.tenantId === tenantId) ?? false
}
