import type { IncomingMessage } from 'node:http'
import { cookieOf, TOKEN_COOKIE, tokenOf } from '../http/cookies.ts'
import type { SessionCheck } from './session-check.ts'
import { ANYONE, sessionDigest } from './url-token.ts'

/**
 * Holders whose tokens a request may use: its login session, and everybody. Does not check that the session is valid.
 */
export function tokenHolders(request: IncomingMessage): string[] {
  const token = sessionToken(request)
  return token ? [sessionDigest(token), ANYONE] : [ANYONE]
}

/** Whether the login session of a request is valid in this tenant. */
export async function isSignedIn(request: IncomingMessage, tenantId: string, check: SessionCheck): Promise<boolean> {
  const token = sessionToken(request)
  return token !== null && check(token, tenantId)
}

const sessionToken = ({ headers }: IncomingMessage): string | null =>
  tokenOf(headers.authorization, cookieOf(headers.cookie, TOKEN_COOKIE))
