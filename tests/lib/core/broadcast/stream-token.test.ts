import { describe, expect, test, vi } from 'vitest'
import { expandEndpoint } from '#lib/core/broadcast/broadcast.ts'
import { authorizeMediaMtx } from '#lib/core/broadcast/mediamtx-auth.ts'
import {
  readStreamToken,
  type StreamClaims,
  signStreamToken,
  verifyStreamToken,
} from '#lib/core/broadcast/stream-token.ts'
import { readConfig } from '#lib/core/config/config.ts'
import { iceServersOf } from '#lib/core/config/ice-servers.ts'

const NOW = 1_800_000_000
const TIMES = { issuedAt: NOW, expiresAt: NOW + 600 }
const CLAIMS: StreamClaims = {
  tenantId: 'school',
  room: 'hall',
  participant: 'Ївга',
  stream: 'camera',
  direction: 'publish',
}
const publishing = signStreamToken(CLAIMS, TIMES)
const playing = signStreamToken({ ...CLAIMS, stream: '*', direction: 'play' }, TIMES)
const camera = { room: 'hall', stream: 'camera', direction: 'publish' } as const
const at = NOW * 1000

describe('a stream token', () => {
  test('carries its claims and allows the named access', () => {
    expect(readStreamToken(publishing)).toEqual({ ...CLAIMS, ...TIMES })
    expect(verifyStreamToken(publishing, camera, at)).toMatchObject({ claims: CLAIMS })
    expect(verifyStreamToken(playing, { ...camera, direction: 'play' }, at)).toMatchObject({ claims: { stream: '*' } })
    expect(verifyStreamToken(playing, { ...camera, stream: 'screen', direction: 'play' }, at)).toHaveProperty('claims')
  })

  test.each([
    ['another room', publishing, { ...camera, room: 'attic' }, at, 'forbidden'],
    ['another stream', publishing, { ...camera, stream: 'screen' }, at, 'forbidden'],
    ['a viewer’s, to publish', playing, camera, at, 'forbidden'],
    ['a publisher’s, to play', publishing, { ...camera, direction: 'play' as const }, at, 'forbidden'],
    ['after its end', publishing, camera, TIMES.expiresAt * 1000, 'unauthorized'],
    ['none', null, camera, at, 'unauthorized'],
    ['an empty one', '', camera, at, 'unauthorized'],
    ['a cut one', publishing.slice(0, -1), camera, at, 'unauthorized'],
    ['one too long', `${'a'.repeat(2000)}.${publishing}`, camera, at, 'unauthorized'],
  ])('is refused: %s', (_why, token, action, now, refused) => {
    expect(verifyStreamToken(token, action, now)).toEqual({ refused })
  })

  test('is rejected when it was changed', () => {
    const [claims = '', ...rest] = publishing.split('.')
    const forged = Buffer.from(Buffer.from(claims, 'base64url').toString().replace('hall', 'loft')).toString(
      'base64url',
    )
    expect(readStreamToken([forged, ...rest].join('.'))).toBeNull()
    const later = [claims, rest[0], (TIMES.expiresAt + 5).toString(36), rest[2]].join('.')
    expect(readStreamToken(later)).toBeNull()
  })

  test('for a publisher names one stream', () => {
    expect(() => signStreamToken({ ...CLAIMS, stream: '*' }, TIMES)).toThrow()
  })
})

describe('another media server', () => {
  const nobody = () => false
  const authorize = (question: object, isOut: Parameters<typeof authorizeMediaMtx>[2] = nobody) =>
    authorizeMediaMtx(JSON.stringify(question), at, isOut) !== null
  const request = { action: 'publish', path: 'hall/camera', protocol: 'webrtc', ip: '192.0.2.1', user: '' }

  test('gets permission for valid tokens', () => {
    expect(authorize({ ...request, token: publishing })).toBe(true)
    expect(authorize({ ...request, password: publishing, token: '' })).toBe(true)
    expect(authorize({ ...request, path: 'live/hall/camera', query: `token=${publishing}` })).toBe(true)
    expect(authorize({ ...request, action: 'read', path: 'hall/screen', token: playing })).toBe(true)
  })

  test('gets a refusal for invalid tokens', () => {
    expect(authorize({ ...request, token: playing })).toBe(false)
    expect(authorize({ ...request, path: 'attic/camera', token: publishing })).toBe(false)
    expect(authorize({ ...request, action: 'api', token: publishing })).toBe(false)
    expect(authorize(request)).toBe(false)
    expect(authorizeMediaMtx('not json', at, nobody)).toBeNull()
    expect(
      authorizeMediaMtx(JSON.stringify({ ...request, token: publishing }), TIMES.expiresAt * 1000, nobody),
    ).toBeNull()
    const isOut = vi.fn(() => true)
    expect(authorize({ ...request, token: publishing }, isOut)).toBe(false)
    const { room, participant, stream, direction } = CLAIMS
    expect(isOut).toHaveBeenCalledWith({ room, participant, stream, direction }, TIMES.issuedAt)
  })

  test('gets room and stream in its URL pattern', () => {
    expect(expandEndpoint('https://m.test/{room}/{stream}/whip', 'r1', 's1')).toBe('https://m.test/r1/s1/whip')
    expect(expandEndpoint('https://m.test/whip/?app={room}&stream={stream}', 'r', 's')).toBe(
      'https://m.test/whip/?app=r&stream=s',
    )
    expect(expandEndpoint('https://m.test/v1/broadcast/whip/', 'r', 's')).toBe('https://m.test/v1/broadcast/whip/r/s')
  })

  test('is configured for WHIP and WHEP or for neither', () => {
    expect(() => readConfig({ WHIP_URL: 'https://m.test/whip' })).toThrow('WHEP_URL')
    expect(() => readConfig({ WHEP_URL: 'https://m.test/whep' })).toThrow('WHIP_URL')
    expect(readConfig({ WHIP_URL: 'https://m.test/whip', WHEP_URL: 'https://m.test/whep' }).whepUrl).toBe(
      'https://m.test/whep',
    )
  })
})

describe('ICE servers', () => {
  test('are configured as a list of URLs or as JSON', () => {
    expect(iceServersOf('')).toEqual([])
    expect(iceServersOf('stun:a.test:3478, turn:me:p%40ss@b.test:3478?transport=udp')).toEqual([
      { urls: ['stun:a.test:3478'] },
      { urls: ['turn:b.test:3478?transport=udp'], username: 'me', credential: 'p@ss' },
    ])
    const json = '[{"urls": "turns:[2001:db8::1]:443?transport=tcp", "username": "u", "credential": "c"}]'
    expect(iceServersOf(json)).toEqual([
      { urls: ['turns:[2001:db8::1]:443?transport=tcp'], username: 'u', credential: 'c' },
    ])
  })

  test.each(['http://a.test', 'turn:', '[{"url": "stun:a.test"}]', '[', '[{"urls": "a.test"}]'])(
    'are refused: %s',
    (value) => {
      expect(() => readConfig({ ICE_SERVERS: value })).toThrow('ICE_SERVERS')
    },
  )
})
