import { signUrlToken, type TokenTimes, verifyUrlToken } from './url-token.ts'

export const MEDIA_PATH = '/v1/media/'

const PATH_PATTERN = /^\/v1\/media\/([0-9a-f-]{36})\/([0-9a-f-]{36})\/([\w.-]+)\/(.*)$/
const HALF_HOUR_SECONDS = 1800
const LIFETIME_SECONDS = 7200

export interface MediaAddress {
  tenantId: string
  fileId: string
  token: string
  /** `original.<ext>` or a made path. */
  path: string
}

/**
 * Where a viewer (see viewerOf, ANYONE) finds a file and all that was made of it: `/v1/media/<tenant>/<file>/<ticket>/`,
 * for two hours or somewhat more. Ends fall on half hours, so that the same address comes out meanwhile and a browser's
 * cache keeps its worth; a renewal gives `issued` of the first one along.
 */
export function mediaBaseUrl(tenantId: string, fileId: string, holder: string, issuedAt?: number): string {
  const now = Math.floor(Date.now() / 1000)
  const expiresAt = Math.ceil((now + LIFETIME_SECONDS) / HALF_HOUR_SECONDS) * HALF_HOUR_SECONDS
  const times = { issuedAt: issuedAt ?? expiresAt - LIFETIME_SECONDS - HALF_HOUR_SECONDS, expiresAt }
  return `${MEDIA_PATH}${tenantId}/${fileId}/${signUrlToken(tokenSubject(tenantId, fileId), holder, times)}/`
}

/** What a path under the media door names, or null when it names nothing. Its ticket is not judged yet. */
export function parseMediaPath(pathname: string): MediaAddress | null {
  const [, tenantId = '', fileId = '', token = '', path = ''] = PATH_PATTERN.exec(pathname) ?? []
  return token ? { tenantId, fileId, token, path } : null
}

/** The ticket's times when it opens this file for one of these viewers, expired or not; null when it does not. */
export function verifyMediaToken(
  { tenantId, fileId, token }: MediaAddress,
  holders: readonly string[],
): TokenTimes | null {
  const subject = tokenSubject(tenantId, fileId)
  for (const holder of holders) {
    const times = verifyUrlToken(token, subject, holder)
    if (times) return times
  }
  return null
}

const tokenSubject = (tenantId: string, fileId: string): string => `media/${tenantId}/${fileId}`
