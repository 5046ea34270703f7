import type { SignPart } from './store.ts'
import { signUrlToken, verifyUrlToken } from './ticket.ts'

export const PART_DOOR = '/v1/part/'

/** One part of one upload in a school's store, as its address says. */
export interface PartAddress {
  tenantId: string
  uploadId: string
  number: number
  size: number
  ticket: string
}

const ADDRESS = /^\/v1\/part\/([0-9a-f-]{36})\/([0-9a-f-]{36})\/([1-9]\d{0,4})\/([1-9]\d{0,7})\/([\w.-]+)$/

/** The path to which this viewer may PUT the part until it expires. */
export function signPartPath(tenantId: string, { uploadId, number, size, viewer, seconds }: SignPart): string {
  const issuedAt = Math.floor(Date.now() / 1000)
  const named = `${tenantId}/${uploadId}/${number}/${size}`
  return `${PART_DOOR}${named}/${signUrlToken(`part/${named}`, viewer, { issuedAt, expiresAt: issuedAt + seconds })}`
}

/** What a path asks for, or null when it is not the address of a part. Its ticket is not judged yet. */
export function readPartPath(path: string): PartAddress | null {
  const [, tenantId = '', uploadId = '', number = '', size = '', ticket = ''] = ADDRESS.exec(path) ?? []
  if (!ticket) return null
  return { tenantId, uploadId, number: Number(number), size: Number(size), ticket }
}

/** Whether one of these viewers may put the part there: `expired` when one might have until lately. */
export function judgePart(part: PartAddress, viewers: readonly string[]): 'good' | 'expired' | 'wrong' {
  const subject = `part/${part.tenantId}/${part.uploadId}/${part.number}/${part.size}`
  for (const viewer of viewers) {
    const times = verifyUrlToken(part.ticket, subject, viewer)
    if (times) return times.expiresAt * 1000 > Date.now() ? 'good' : 'expired'
  }
  return 'wrong'
}
