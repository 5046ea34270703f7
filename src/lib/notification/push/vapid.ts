import { createECDH, createPrivateKey, type KeyObject, sign } from 'node:crypto'
import { config } from '#lib/core/config/config.ts'
import { deriveKey } from '#lib/core/encryption.ts'
import { HOUR_SECONDS } from '#lib/core/shared/time.ts'

/**
 * The key by which push services recognize the installation (VAPID, RFC 8292), derived from the secret of the
 * installation, so that it needs no configuration. Browsers subscribe with it, base64url.
 */
export const vapidPublicKey = (): string => keyPair().publicKey

/** The `Authorization` header of a request to a push service, valid for twelve hours. */
export function vapidAuthorization(endpoint: string, now = new Date()): string {
  const { publicKey, privateKey } = keyPair()
  const claims = {
    aud: new URL(endpoint).origin,
    exp: Math.floor(now.getTime() / 1000) + 12 * HOUR_SECONDS,
    sub: `mailto:${/<([^<>]+)>/.exec(config.mailFrom)?.[1] ?? config.mailFrom}`,
  }
  const unsigned = `${encoded({ typ: 'JWT', alg: 'ES256' })}.${encoded(claims)}`
  const signature = sign('sha256', Buffer.from(unsigned), { key: privateKey, dsaEncoding: 'ieee-p1363' })
  return `vapid t=${unsigned}.${signature.toString('base64url')}, k=${publicKey}`
}

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

let pair: { publicKey: string; privateKey: KeyObject } | undefined

function keyPair() {
  if (pair) return pair
  const ecdh = createECDH('prime256v1')
  ecdh.setPrivateKey(deriveKey('web-push'))
  const point = ecdh.getPublicKey()
  const key = {
    kty: 'EC',
    crv: 'P-256',
    d: ecdh.getPrivateKey().toString('base64url'),
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
  }
  pair = { publicKey: point.toString('base64url'), privateKey: createPrivateKey({ key, format: 'jwk' }) }
  return pair
}
