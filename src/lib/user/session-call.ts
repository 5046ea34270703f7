import { labelOf, parseHost } from '#lib/core/access/host.ts'
import { config } from '#lib/core/config/config.ts'
import { tokenOf } from '#lib/core/http/cookies.ts'
import type { SessionInfo } from './schema.ts'
import { findActor } from './session.ts'
import { getSessionInfo } from './session-info.ts'

export const SESSION_CALL = '/v1/module/user/getSessionInfo'

/**
 * The answer of getSessionInfo for a request with a good token, or null: then the API door answers, with its words. It is
 * the call that every client makes first and most, and the renderer would cost more than the answer.
 */
export async function answerSessionCall(
  host: string,
  authorization: string | undefined,
  cookies: string | undefined,
): Promise<SessionInfo | null> {
  const place = parseHost(host, config.baseDomain)
  const token = tokenOf(authorization, /(?:^|;\s*)token=([^;]*)/.exec(cookies ?? '')?.[1])
  if (!token || place.kind === 'unknown') return null
  const actor = await findActor(token, labelOf(place))
  if (!actor || (place.kind === 'school' && place.subdomain !== actor.subdomain)) return null
  return getSessionInfo(actor)
}
