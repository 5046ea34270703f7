import type { IncomingMessage } from 'node:http'
import { cookieOf, TOKEN_COOKIE, tokenOf } from '../http/cookies.ts'
import type { SessionCheck } from './session-check.ts'
import { ANYONE, sessionDigest } from './url-token.ts'

/** Whose tickets a request may use: its session's and everybody's. Whether the session still lasts is not asked. */
export function tokenHolders(request: IncomingMessage): string[] {
  const token = sessionToken(request)
  return token ? [sessionDigest(token), ANYONE] : [ANYONE]
}

/** Whether the session of a request, whose ticket was not signed for everybody, still lasts in this school. */
export async function isSignedIn(request: IncomingMessage, tenantId: string, check: SessionCheck): Promise<boolean> {
  const token = sessionToken(request)
  return token !== null && check(token, tenantId)
}

const sessionToken = ({ headers }: IncomingMessage): string | null =>
  tokenOf(headers.authorization, cookieOf(headers.cookie, TOKEN_COOKIE))
