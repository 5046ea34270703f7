import { HOUR_SECONDS } from '../shared/time.ts'
import { UUID_SOURCE } from '../shared/uuid.ts'
import { hideFileId, revealFileId } from './hidden-file-id.ts'
import { signUrlToken, type TokenTimes, verifyUrlToken } from './url-token.ts'

export const MEDIA_PATH = '/v1/media/'

const PATH_PATTERN = new RegExp(`^${MEDIA_PATH}(${UUID_SOURCE})/(${UUID_SOURCE}|~[\\w-]{22})/([\\w.-]+)/(.*)$`)
const HALF_HOUR_SECONDS = HOUR_SECONDS / 2
const LIFETIME_SECONDS = 2 * HOUR_SECONDS

export interface MediaAddress {
  tenantId: string
  fileId: string
  /** The address does not show the id of the file, see hidden-file-id.ts. */
  isHidden: boolean
  token: string
  /** `original.<ext>` or a made path. */
  path: string
}

/**
 * Base URL of a file and its derived files for a token holder (see sessionDigest, ANYONE):
 * `/v1/media/<tenant>/<file>/<token>/`. Valid for at least two hours. Expiry is rounded to half hours, so that the URL
 * stays the same and caches work; a renewal passes the `issuedAt` of the first URL. With `isHidden` the id of the file is
 * not readable.
 */
export function mediaBaseUrl(
  tenantId: string,
  fileId: string,
  holder: string,
  { issuedAt, isHidden = false }: { issuedAt?: number | undefined; isHidden?: boolean | undefined } = {},
): string {
  const now = Math.floor(Date.now() / 1000)
  const expiresAt = Math.ceil((now + LIFETIME_SECONDS) / HALF_HOUR_SECONDS) * HALF_HOUR_SECONDS
  const times = { issuedAt: issuedAt ?? expiresAt - LIFETIME_SECONDS - HALF_HOUR_SECONDS, expiresAt }
  const shownId = isHidden ? hideFileId(fileId) : fileId
  return `${MEDIA_PATH}${tenantId}/${shownId}/${signUrlToken(tokenSubject(tenantId, fileId), holder, times)}/`
}

/** Parses a media path; null when it is malformed. Does not verify the token. */
export function parseMediaPath(pathname: string): MediaAddress | null {
  const [, tenantId = '', shownId = '', token = '', path = ''] = PATH_PATTERN.exec(pathname) ?? []
  const isHidden = shownId.startsWith('~')
  const fileId = isHidden ? revealFileId(shownId) : shownId
  return token ? { tenantId, fileId, isHidden, token, path } : null
}

/** Verifies the token for one of the holders. Returns its times, even if it has expired; null when it is not valid. */
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
