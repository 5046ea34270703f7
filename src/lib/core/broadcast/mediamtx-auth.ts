import { z } from 'zod'
import { parseJson } from '#lib/core/shared/text/json.ts'
import type { TokenTimes } from '../files/url-token.ts'
import { type StreamAccess, type StreamClaims, verifyStreamToken } from './stream-token.ts'

/** A request of MediaMTX to its `authHTTPAddress` (authMethod: http), without the fields that are not used. */
const AuthRequest = z.object({
  action: z.enum(['publish', 'read']),
  path: z.string().max(300),
  token: z.string().nullish(),
  /** Older versions of MediaMTX pass a bearer token here. */
  password: z.string().nullish(),
  query: z.string().nullish(),
})

/**
 * Authorizes a client of another media server. `body` is a request in the JSON format of MediaMTX: action, a path that
 * ends with room and stream, and the token. `isRevoked` returns whether the participant was disconnected after the
 * token was issued. Returns the claims of the token, or null to refuse.
 */
export function authorizeMediaMtx(
  body: string,
  now: number,
  isRevoked: (access: StreamAccess & Pick<StreamClaims, 'participant'>, issuedAt: number) => boolean,
): (StreamClaims & TokenTimes) | null {
  const parsed = AuthRequest.safeParse(parseJson(body))
  if (!parsed.success) return null
  const { action, path, token, password, query } = parsed.data
  const bearerToken = token || password || new URLSearchParams(query ?? '').get('token')
  const [room = '', stream = ''] = path.split('/').filter(Boolean).slice(-2)
  const direction = action === 'publish' ? 'publish' : 'play'
  const access: StreamAccess = { room, stream, direction }
  const verdict = verifyStreamToken(bearerToken, access, now)
  if ('refused' in verdict) return null
  const { claims } = verdict
  return isRevoked({ ...access, participant: claims.participant }, claims.issuedAt) ? null : claims
}
