import { z } from 'zod'
import { judgeStream, type StreamAct, type StreamClaims } from './stream-ticket.ts'

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
 * Whether another media server may let somebody in: its question, as JSON in MediaMTX's protocol, names a path that ends
 * with room and stream, what is to be done there, and carries the token that the browser brought. `isOut` knows who was
 * expelled since the token was issued.
 */
export function verified(
  question: string,
  now: number,
  isOut: (act: StreamAct & Pick<StreamClaims, 'person'>, issued: number) => boolean,
): boolean {
  const parsed = Asked.safeParse(jsonOf(question))
  if (!parsed.success) return false
  const { action, path, token, password, query } = parsed.data
  const given = token || password || new URLSearchParams(query ?? '').get('token')
  const [room = '', stream = ''] = path.split('/').filter(Boolean).slice(-2)
  const direction = action === 'publish' ? 'publish' : 'play'
  const act: StreamAct = { room, stream, direction }
  const verdict = judgeStream(given, act, now)
  return 'claims' in verdict && !isOut({ ...act, person: verdict.claims.person }, verdict.claims.issued)
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
