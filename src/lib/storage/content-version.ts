import { createHash } from 'node:crypto'

/**
 * The version of an edited text: a number computed from the content (48 bits of SHA-256), so that saving the same text
 * twice, or moving the file meanwhile, causes no conflict.
 */
export function contentVersion(value: unknown): number {
  return createHash('sha256').update(JSON.stringify(value)).digest().readUIntBE(0, 6)
}
