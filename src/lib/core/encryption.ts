import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { config } from './config/config.ts'

const KEY_FILE = 'secret.key'

/** Encrypts a text for one purpose (AES-256-GCM), as base64url of nonce, tag and ciphertext. */
export function encrypt(purpose: string, text: string): string {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', keyFor(purpose), nonce)
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')
}

/** The text that was encrypted for this purpose, or null when the input is invalid or was modified. */
export function decrypt(purpose: string, encrypted: string): string | null {
  const bytes = Buffer.from(encrypted, 'base64url')
  if (bytes.length < 28) return null
  const decipher = createDecipheriv('aes-256-gcm', keyFor(purpose), bytes.subarray(0, 12))
  decipher.setAuthTag(bytes.subarray(12, 28))
  try {
    return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8')
  } catch {
    return null
  }
}

/** HMAC-SHA-256 of a short secret: without the key, a reader of the table cannot try all codes. */
export function keyedDigest(purpose: string, text: string): Buffer {
  return createHmac('sha256', keyFor(purpose)).update(text).digest()
}

/** 32 secret bytes for one purpose, the same in every process of the installation. */
export const deriveKey = (purpose: string): Buffer => Buffer.from(keyFor(purpose))

let masterKey: Buffer | undefined
const keys = new Map<string, Buffer>()

// HKDF (RFC 5869): one installation secret, a key of its own for each purpose.
function keyFor(purpose: string): Buffer {
  const known = keys.get(purpose)
  if (known) return known
  masterKey ??= config.secretKey ? Buffer.from(config.secretKey) : readKeyFile()
  const key = Buffer.from(hkdfSync('sha256', masterKey, '', `kafedra ${purpose}`, 32))
  keys.set(purpose, key)
  return key
}

// Created by a hard link, so that two processes that start at the same time use the same complete key.
function readKeyFile(): Buffer {
  const file = path.join(config.dataDir, KEY_FILE)
  if (!fs.existsSync(file)) {
    fs.mkdirSync(config.dataDir, { recursive: true, mode: 0o711 })
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
  return Buffer.from(fs.readFileSync(file, 'utf8'), 'base64')
}
