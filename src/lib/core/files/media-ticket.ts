import { signUrlToken, type TokenTimes, verifyUrlToken } from './ticket.ts'

export const MEDIA_DOOR = '/v1/media/'

const ADDRESS = /^\/v1\/media\/([0-9a-f-]{36})\/([0-9a-f-]{36})\/([\w.-]+)\/(.*)$/
const HALF_HOUR = 1800
const LASTS = 7200

export interface MediaAddress {
  tenantId: string
  fileId: string
  ticket: string
  /** `original.<ext>` or a made path. */
  path: string
}

/**
 * Where a viewer (see viewerOf, ANYONE) finds a file and all that was made of it: `/v1/media/<tenant>/<file>/<ticket>/`,
 * for two hours or somewhat more. Ends fall on half hours, so that the same address comes out meanwhile and a browser's
 * cache keeps its worth; a renewal gives `issued` of the first one along.
 */
export function mediaBase(tenantId: string, fileId: string, viewer: string, issued?: number): string {
  const now = Math.floor(Date.now() / 1000)
  const expires = Math.ceil((now + LASTS) / HALF_HOUR) * HALF_HOUR
  const times = { issued: issued ?? expires - LASTS - HALF_HOUR, expires }
  return `${MEDIA_DOOR}${tenantId}/${fileId}/${signUrlToken(subjectOf(tenantId, fileId), viewer, times)}/`
}

/** What a path under the media door names, or null when it names nothing. Its ticket is not judged yet. */
export function readMediaPath(pathname: string): MediaAddress | null {
  const [, tenantId = '', fileId = '', ticket = '', path = ''] = ADDRESS.exec(pathname) ?? []
  return ticket ? { tenantId, fileId, ticket, path } : null
}

/** The ticket's times when it opens this file for one of these viewers, expired or not; null when it does not. */
export function mediaTicket({ tenantId, fileId, ticket }: MediaAddress, viewers: readonly string[]): TokenTimes | null {
  const subject = subjectOf(tenantId, fileId)
  for (const viewer of viewers) {
    const times = verifyUrlToken(ticket, subject, viewer)
    if (times) return times
  }
  return null
}

const subjectOf = (tenantId: string, fileId: string): string => `media/${tenantId}/${fileId}`
