import { createHash } from 'node:crypto'

/**
 * The version of something that people write: a number made of what it says (48 bits of SHA-256), so that whoever
 * writes the same text twice, or moves the file meanwhile, is in nobody's way.
 */
export function contentVersion(value: unknown): number {
  return createHash('sha256').update(JSON.stringify(value)).digest().readUIntBE(0, 6)
}
