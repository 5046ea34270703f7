import { UUID_PATTERN } from '#lib/core/shared/uuid.ts'

const REFERENCE = /^[A-Za-z0-9_-]{43}$/

/** The identifier of a payment at providers and in addresses: tenant and payment in 43 characters. */
export function referenceOf({ tenantId, id }: { tenantId: string; id: string }): string {
  return Buffer.from((tenantId + id).replaceAll('-', ''), 'hex').toString('base64url')
}

/** The payment that a reference names, or null. */
export function parseReference(reference: string): { tenantId: string; id: string } | null {
  if (!REFERENCE.test(reference)) return null
  const hex = Buffer.from(reference, 'base64url').toString('hex')
  const [tenantId, id] = [toUuid(hex.slice(0, 32)), toUuid(hex.slice(32))]
  return UUID_PATTERN.test(tenantId) && UUID_PATTERN.test(id) && referenceOf({ tenantId, id }) === reference
    ? { tenantId, id }
    : null
}

function toUuid(hex: string): string {
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
