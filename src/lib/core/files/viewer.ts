import type { IncomingMessage } from 'node:http'
import { tokenOf } from '../http/cookies.ts'
import { ANYONE, viewerOf } from './ticket.ts'

/** Whose tickets a request may use: its session's and everybody's. Whether the session still lasts is not asked. */
export function viewersOf({ headers }: IncomingMessage): string[] {
  const token = tokenOf(headers.authorization, /(?:^|;\s*)token=([^;]*)/.exec(headers.cookie ?? '')?.[1])
  return token ? [viewerOf(token), ANYONE] : [ANYONE]
}
