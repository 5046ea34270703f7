import { createCipheriv, createDecipheriv } from 'node:crypto'
import { keyedDigest } from '../encryption.ts'

/*
 * Ids of files are ordered by the time of their upload: in the pictures of an ordering they would tell the right order.
 * Where that matters, addresses contain the id as one encrypted block (AES-256 of the 16 bytes, `~` and 22 characters
 * of base64url): the same file has the same address, so that caches work.
 */

const ALGORITHM = 'aes-256-ecb'

/** Returns the encrypted form of an id. */
export function hideFileId(fileId: string): string {
  const cipher = createCipheriv(ALGORITHM, blockKey(), null).setAutoPadding(false)
  return `~${Buffer.concat([cipher.update(fileId.replaceAll('-', ''), 'hex'), cipher.final()]).toString('base64url')}`
}

/** Returns the id of an encrypted form; another id for a forged one, for which no token is valid. */
export function revealFileId(hidden: string): string {
  const decipher = createDecipheriv(ALGORITHM, blockKey(), null).setAutoPadding(false)
  const hex = Buffer.concat([decipher.update(hidden.slice(1), 'base64url'), decipher.final()]).toString('hex')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

const blockKey = (): Buffer => keyedDigest('hidden-file-id', '')
