import { UUID_SOURCE } from '../shared/uuid.ts'
import type { PartToSign } from './store.ts'
import { signUrlToken, verifyUrlToken } from './url-token.ts'

export const PART_PATH = '/v1/part/'

/** A part of an upload, as named in its URL. */
export interface PartAddress {
  tenantId: string
  uploadId: string
  number: number
  size: number
  token: string
}

const PATH_PATTERN = new RegExp(
  `^${PART_PATH}(${UUID_SOURCE})/(${UUID_SOURCE})/([1-9]\\d{0,4})/([1-9]\\d{0,7})/([\\w.-]+)$`,
)

/** The path to which the token holder may PUT the part until it expires. */
export function signPartPath(tenantId: string, { uploadId, number, size, holder, ttlSeconds }: PartToSign): string {
  const issuedAt = Math.floor(Date.now() / 1000)
  const partPath = `${tenantId}/${uploadId}/${number}/${size}`
  return `${PART_PATH}${partPath}/${signUrlToken(`part/${partPath}`, holder, { issuedAt, expiresAt: issuedAt + ttlSeconds })}`
}

/** Parses a part path; null when it is malformed. Does not verify the token. */
export function parsePartPath(path: string): PartAddress | null {
  const [, tenantId = '', uploadId = '', number = '', size = '', token = ''] = PATH_PATTERN.exec(path) ?? []
  if (!token) return null
  return { tenantId, uploadId, number: Number(number), size: Number(size), token }
}

/** Verifies the token for one of the holders. `expired`: it was valid for a holder. */
export function verifyPartToken(part: PartAddress, holders: readonly string[]): 'good' | 'expired' | 'wrong' {
  const subject = `part/${part.tenantId}/${part.uploadId}/${part.number}/${part.size}`
  for (const holder of holders) {
    const times = verifyUrlToken(part.token, subject, holder)
    if (times) return times.expiresAt * 1000 > Date.now() ? 'good' : 'expired'
  }
  return 'wrong'
}
