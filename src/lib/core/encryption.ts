import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { config } from './config/config.ts'

const KEY_FILE = 'secret.key'

/** Encrypts and decrypts with one master key; each purpose has a key of its own (HKDF, RFC 5869). */
export interface Cipher {
  encrypt(purpose: string, text: string): string
  decrypt(purpose: string, encrypted: string): string | null
  deriveKey(purpose: string): Buffer
  /** Identifies the master key and does not disclose it. */
  fingerprint(): Buffer
}

/** The functions of this module with another master key than the one of the installation. */
export function cipherOf(masterKey: Buffer): Cipher {
  const keys = new Map<string, Buffer>()
  const keyFor = (purpose: string): Buffer => {
    const known = keys.get(purpose)
    if (known) return known
    const key = Buffer.from(hkdfSync('sha256', masterKey, '', `kafedra ${purpose}`, 32))
    keys.set(purpose, key)
    return key
  }
  return {
    encrypt(purpose, text) {
      const nonce = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', keyFor(purpose), nonce)
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')
    },
    decrypt(purpose, encrypted) {
      const bytes = Buffer.from(encrypted, 'base64url')
      if (bytes.length < 28) return null
      const decipher = createDecipheriv('aes-256-gcm', keyFor(purpose), bytes.subarray(0, 12))
      decipher.setAuthTag(bytes.subarray(12, 28))
      try {
        return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8')
      } catch {
        return null
      }
    },
    deriveKey: keyFor,
    fingerprint: () => createHmac('sha256', keyFor('fingerprint')).update('kafedra').digest(),
  }
}

/** Encrypts a text for one purpose (AES-256-GCM), as base64url of nonce, tag and ciphertext. */
export const encrypt = (purpose: string, text: string): string => current().encrypt(purpose, text)

/** The text that was encrypted for this purpose, or null when the input is invalid or was modified. */
export const decrypt = (purpose: string, encrypted: string): string | null => current().decrypt(purpose, encrypted)

/** HMAC-SHA-256 of a short secret: without the key, a reader of the table cannot try all codes. */
export function keyedDigest(purpose: string, text: string): Buffer {
  return createHmac('sha256', current().deriveKey(purpose)).update(text).digest()
}

/** 32 secret bytes for one purpose, the same in every process of the installation. */
export const deriveKey = (purpose: string): Buffer => Buffer.from(current().deriveKey(purpose))

/** The master key of the installation: SECRET_KEY or the key file; null when there is neither. */
export function readMasterKey(secret: string | undefined = config.secretKey, file = keyFile()): Buffer | null {
  if (secret) return Buffer.from(secret)
  return fs.existsSync(file) ? Buffer.from(fs.readFileSync(file, 'utf8'), 'base64') : null
}

/** Path of the key file, which is used without SECRET_KEY. */
export const keyFile = (): string => path.join(config.dataDir, KEY_FILE)

/**
 * Creates a key file unless it exists. By a hard link, so that two processes that start at the same time use the same
 * complete key.
 */
export function createKeyFile(file = keyFile()): void {
  if (fs.existsSync(file)) return
  fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o711 })
  const temporaryFile = `${file}.${process.pid}`
  fs.writeFileSync(temporaryFile, randomBytes(32).toString('base64'), { mode: 0o600 })
  try {
    fs.linkSync(temporaryFile, file)
  } catch (error) {
    if (!fs.existsSync(file)) throw error
  } finally {
    fs.rmSync(temporaryFile)
  }
}

let cipher: Cipher | undefined

// A missing key is created only by the check of the start (core/secret-key), which knows whether data would be lost.
function current(): Cipher {
  if (cipher) return cipher
  if (config.environment === 'test' && !config.secretKey) createKeyFile()
  const masterKey = readMasterKey()
  if (!masterKey) throw new Error(`${keyFile()} does not exist, and SECRET_KEY is not set`)
  cipher = cipherOf(masterKey)
  return cipher
}
