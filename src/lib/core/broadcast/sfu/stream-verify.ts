import { z } from 'zod'
import type { Ticket } from '../../files/ticket.ts'
import { judgeStream, type StreamAct, type StreamClaims } from '../stream-ticket.ts'

/** What MediaMTX asks its `authHTTPAddress` (authMethod: http); other fields of it are not looked at. */
const Asked = z.object({
  action: z.enum(['publish', 'read']),
  path: z.string().max(300),
  token: z.string().nullish(),
  /** Older versions hand a bearer token over as a password. */
  password: z.string().nullish(),
  query: z.string().nullish(),
})

/**
 * Claims of the token that somebody brought to another media server; null when it must not let them in. Its question, as
 * JSON in MediaMTX's protocol, names a path that ends with room and stream, what is to be done there, and carries the
 * token. `isOut` knows who was expelled since the token was issued.
 */
export function verified(
  question: string,
  now: number,
  isOut: (act: StreamAct & Pick<StreamClaims, 'person'>, issued: number) => boolean,
): (StreamClaims & Ticket) | null {
  const parsed = Asked.safeParse(jsonOf(question))
  if (!parsed.success) return null
  const { action, path, token, password, query } = parsed.data
  const given = token || password || new URLSearchParams(query ?? '').get('token')
  const [room = '', stream = ''] = path.split('/').filter(Boolean).slice(-2)
  const direction = action === 'publish' ? 'publish' : 'play'
  const act: StreamAct = { room, stream, direction }
  const verdict = judgeStream(given, act, now)
  if ('refused' in verdict) return null
  const { claims } = verdict
  return isOut({ ...act, person: claims.person }, claims.issued) ? null : claims
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
