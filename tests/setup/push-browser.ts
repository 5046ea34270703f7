import { createDecipheriv, createECDH, hkdfSync } from 'node:crypto'

/** The keys of a browser that has subscribed to push messages; decrypts them by RFC 8291 and RFC 8188. */
export class PushBrowser {
  private readonly ecdh = createECDH('prime256v1')
  private readonly auth = Buffer.from('0123456789abcdef')

  constructor() {
    this.ecdh.generateKeys()
  }

  get keys() {
    return { p256dh: this.ecdh.getPublicKey().toString('base64url'), auth: this.auth.toString('base64url') }
  }

  /** Throws when the message is not encrypted for these keys, or is no single record. */
  decrypt(body: Buffer): string {
    const salt = body.subarray(0, 16)
    const length = body.readUInt8(20)
    const senderKey = body.subarray(21, 21 + length)
    const record = body.subarray(21 + length)
    if (record.length > body.readUInt32BE(16)) throw new Error('the message has several records')
    const info = Buffer.concat([Buffer.from('WebPush: info\0'), this.ecdh.getPublicKey(), senderKey])
    const secret = Buffer.from(hkdfSync('sha256', this.ecdh.computeSecret(senderKey), this.auth, info, 32))
    const derive = (label: string, size: number) =>
      Buffer.from(hkdfSync('sha256', secret, salt, Buffer.from(`Content-Encoding: ${label}\0`), size))
    const decipher = createDecipheriv('aes-128-gcm', derive('aes128gcm', 16), derive('nonce', 12))
    decipher.setAuthTag(record.subarray(-16))
    const plain = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()])
    if (plain.at(-1) !== 2) throw new Error('the record is not the last one')
    return plain.subarray(0, -1).toString()
  }
}
