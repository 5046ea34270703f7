import { createCipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto'

/** The keys of a browser, base64url. */
export interface PushKeys {
  p256dh: string
  auth: string
}

/** Random values of a message; given only by tests. */
interface MessageKeys {
  privateKey: Buffer
  salt: Buffer
}

const RECORD_SIZE = 4096
/** The largest text, in bytes: one record with its delimiter, tag and header (RFC 8291, section 4). */
export const MAX_PUSH_BYTES = 3993

/**
 * Encrypts a message for a browser: `aes128gcm` (RFC 8188) with the keys of RFC 8291. Throws RangeError when the text is
 * too long, and TypeError when the keys of the browser are not valid.
 */
export function encryptPush(text: string, { p256dh, auth }: PushKeys, keys: MessageKeys = newKeys()): Buffer {
  const plain = Buffer.from(text)
  if (plain.length > MAX_PUSH_BYTES) throw new RangeError('a push message is too long')
  const browserKey = Buffer.from(p256dh, 'base64url')
  const sender = createECDH('prime256v1')
  sender.setPrivateKey(keys.privateKey)
  const senderKey = sender.getPublicKey()
  const shared = sharedSecret(sender, browserKey)
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), browserKey, senderKey])
  const secret = derive(shared, Buffer.from(auth, 'base64url'), info, 32)
  const contentKey = derive(secret, keys.salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16)
  const nonce = derive(secret, keys.salt, Buffer.from('Content-Encoding: nonce\0'), 12)
  const cipher = createCipheriv('aes-128-gcm', contentKey, nonce)
  // 2 marks the last record.
  const record = Buffer.concat([cipher.update(plain), cipher.update(Buffer.from([2])), cipher.final()])
  const size = Buffer.alloc(4)
  size.writeUInt32BE(RECORD_SIZE)
  return Buffer.concat([keys.salt, size, Buffer.from([senderKey.length]), senderKey, record, cipher.getAuthTag()])
}

function newKeys(): MessageKeys {
  const ecdh = createECDH('prime256v1')
  ecdh.generateKeys()
  return { privateKey: ecdh.getPrivateKey(), salt: randomBytes(16) }
}

function sharedSecret(sender: ReturnType<typeof createECDH>, browserKey: Buffer): Buffer {
  try {
    return sender.computeSecret(browserKey)
  } catch (error) {
    throw new TypeError('the key of the browser is no point of the curve', { cause: error })
  }
}

const derive = (secret: Buffer, salt: Buffer, info: Buffer, length: number): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, salt, info, length))
