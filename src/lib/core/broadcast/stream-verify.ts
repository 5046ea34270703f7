import { z } from 'zod'
import { judgeStream } from './stream-ticket.ts'

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
 * with room and stream, what is to be done there, and carries the token that the browser brought.
 */
export function verified(question: string, now: number): boolean {
  const parsed = Asked.safeParse(jsonOf(question))
  if (!parsed.success) return false
  const { action, path, token, password, query } = parsed.data
  const given = token || password || new URLSearchParams(query ?? '').get('token')
  const [room = '', stream = ''] = path.split('/').filter(Boolean).slice(-2)
  const direction = action === 'publish' ? 'publish' : 'play'
  return !('refused' in judgeStream(given, { room, stream, direction }, now))
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
