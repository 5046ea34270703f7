import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Direction, StreamClaims } from '#lib/core/broadcast/stream-token.ts'
import { newId } from '#lib/core/db/id.ts'
import type { TokenTimes } from '#lib/core/files/url-token.ts'
import { type BroadcastServer, startBroadcastServer } from '../../../setup/media/broadcast-server.ts'
import { connectSubscriber, RefusedError } from '../../../setup/media/webrtc-clients.ts'

let broadcastServer: BroadcastServer
let sign: (claims: StreamClaims, times: TokenTimes) => string
beforeAll(async () => {
  process.env.BROADCAST_VIEWERS = '2'
  process.env.ICE_SERVERS = 'stun:a.test:3478,turn:me:secret@b.test:3478'
  broadcastServer = await startBroadcastServer()
  sign = (await import('#lib/core/broadcast/stream-token.ts')).signStreamToken
})
afterAll(() => broadcastServer.close())

const room = newId()
const WHIP = `/v1/broadcast/whip/${room}/camera`
const WHEP = `/v1/broadcast/whep/${room}/camera`
const SDP = { 'content-type': 'application/sdp' }
const OFFER = Buffer.from('v=0\r\n')

describe('the broadcast endpoint', () => {
  test.each([
    ['without a token', WHIP, null, 401],
    ['with a token of another room', WHIP, () => token({ room: newId() }), 403],
    ['with a token of another stream', WHIP, () => token({ stream: 'screen' }), 403],
    ['with an expired token', WHIP, () => token({}, -1), 401],
    ['with a token that somebody changed', WHIP, () => `x${token({})}`, 401],
    ['with a viewer’s token', WHIP, () => token({ direction: 'play' }), 403],
    ['with a viewer’s token of all streams', WHIP, () => token({ direction: 'play', stream: '*' }), 403],
    ['of viewers with a publisher’s token', WHEP, () => token({}), 403],
    ['of viewers with a token of another room', WHEP, () => token({ room: newId(), direction: 'play' }), 403],
    ['of viewers with an expired token', WHEP, () => token({ direction: 'play' }, -1), 401],
  ] as const)('does not open %s', async (_how, path, make, status) => {
    const bearer: Record<string, string> = make === null ? {} : { authorization: `Bearer ${make()}` }
    const answer = await post(path, { ...SDP, ...bearer })
    expect(answer.status).toBe(status)
    expect(answer.headers['www-authenticate']).toBe(status === 401 ? 'Bearer' : undefined)
    expect(answer.headers['access-control-allow-origin']).toBe('*')
  })

  test('accepts only session descriptions of limited length', async () => {
    const right = { authorization: `Bearer ${token({})}` }
    const json = await post(WHIP, { ...right, 'content-type': 'application/json' })
    expect([json.status, json.headers['accept-post']]).toEqual([415, 'application/sdp'])
    expect((await post(WHIP, { ...right, ...SDP })).status).toBe(422)
    expect((await post(WHIP, { ...right, ...SDP }, Buffer.from('hello'))).status).toBe(400)
    expect((await post(WHIP, { ...right, ...SDP }, Buffer.alloc(70_000, 97))).status).toBe(413)
  })

  test('answers OPTIONS with the accepted methods and type', async () => {
    const preflight = await broadcastServer.endpoint.request(WHIP, { method: 'OPTIONS', token: null })
    expect([preflight.status, preflight.headers['accept-post']]).toEqual([204, 'application/sdp'])
    expect(preflight.headers['access-control-allow-methods']).toContain('DELETE')
    const got = await broadcastServer.endpoint.request(WHIP, { token: null })
    expect([got.status, got.headers.allow]).toEqual([405, 'OPTIONS, POST'])
    const patched = await broadcastServer.endpoint.request(`${WHIP}/${newId()}`, { method: 'PATCH', token: null })
    expect([patched.status, patched.headers.allow]).toEqual([405, 'OPTIONS, DELETE'])
    expect((await broadcastServer.endpoint.request('/v1/broadcast/other/a/b', { token: null })).status).toBe(404)
  })

  test('answers 404 with Retry-After for a stream that is not published', async () => {
    const nobodys = newId()
    const failed = await connectSubscriber(broadcastServer.requestFor(nobodys, 'play')).catch((error: unknown) => error)
    expect(failed).toEqual(new RefusedError(404, 'not_found'))
  })

  test('returns Location and ICE servers, and deletes the session only for its owner', async () => {
    const call = broadcastServer.requestFor(room, 'publish')
    const publisher = await broadcastServer.startPublisher(call)
    expect(publisher.location).toMatch(new RegExp(`^${WHIP}/[0-9a-f-]{36}$`))
    expect(publisher.links).toBe(
      '<stun:a.test:3478>; rel="ice-server", ' +
        '<turn:b.test:3478>; rel="ice-server"; username="me"; credential="secret"; credential-type="password"',
    )
    expect(await remove(publisher.location, null)).toBe(401)
    expect(await remove(publisher.location, token({ direction: 'play' }))).toBe(403)
    expect(await remove(publisher.location, token({ room: newId() }))).toBe(403)
    expect(await remove(publisher.location, broadcastServer.requestFor(room, 'publish').token)).toBe(404)
    expect(await remove(publisher.location, call.token)).toBe(200)
    expect(await remove(publisher.location, call.token)).toBe(404)
    broadcastServer.clear()
  })

  test('ends all sessions of a disconnected participant', async () => {
    const { disconnectParticipant, getSfuStatus } = await import('#lib/core/broadcast/broadcast.ts')
    const party = newId()
    await broadcastServer.startPublisher(broadcastServer.requestFor(party, 'publish'))
    const participant = newId()
    const guest = token({ room: party, participant, direction: 'play', stream: '*' })
    await broadcastServer.startSubscriber({ ...broadcastServer.requestFor(party, 'play'), token: guest })
    expect(await disconnectParticipant(newId(), participant)).toBe(0)
    expect(await disconnectParticipant(party, participant, { isPublishingOnly: true })).toBe(0)
    expect(await disconnectParticipant(party, participant)).toBe(1)
    const back = await connectSubscriber({ ...broadcastServer.requestFor(party, 'play'), token: guest }).catch(
      (error: unknown) => error,
    )
    expect(back).toEqual(new RefusedError(403, 'forbidden'))
    const streams = (await getSfuStatus())?.streams.filter((stream) => stream.room === party)
    expect(streams).toMatchObject([{ isPublished: true, subscriberCount: 0 }])
    broadcastServer.clear()
  })

  test('refuses subscribers above the limit until one leaves', async () => {
    const full = newId()
    await broadcastServer.startPublisher(broadcastServer.requestFor(full, 'publish'))
    const own = broadcastServer.requestFor(full, 'play')
    const [first] = await Promise.all([
      broadcastServer.startSubscriber(own),
      broadcastServer.startSubscriber(broadcastServer.requestFor(full, 'play')),
    ])
    const third = await connectSubscriber(broadcastServer.requestFor(full, 'play')).catch((error: unknown) => error)
    expect(third).toEqual(new RefusedError(503, 'broadcast_full'))
    expect(await remove(first.location, own.token)).toBe(200)
    await broadcastServer.startSubscriber(broadcastServer.requestFor(full, 'play'))
    broadcastServer.clear()
  })

  test('authorizes clients of another media server', async () => {
    const verifyToken = (body: object) => post('/v1/broadcast/verify', {}, Buffer.from(JSON.stringify(body)))
    const question = { action: 'publish', path: `${room}/camera` }
    expect((await verifyToken({ ...question, token: token({}) })).status).toBe(204)
    expect((await verifyToken({ ...question, token: token({}, -1) })).status).toBe(401)
    expect((await broadcastServer.endpoint.request('/v1/broadcast/verify', { token: null })).status).toBe(405)
  })
})

function token(claims: Partial<StreamClaims>, lasts = 60): string {
  const issuedAt = Math.floor(Date.now() / 1000) - 60
  const direction: Direction = 'publish'
  const whole = { tenantId: newId(), room, participant: newId(), stream: 'camera', direction, ...claims }
  return sign(whole, { issuedAt, expiresAt: issuedAt + 60 + lasts })
}

function post(path: string, headers: Record<string, string>, body = OFFER) {
  return broadcastServer.endpoint.request(path, { method: 'POST', token: null, headers, body })
}

async function remove(location: string, bearer: string | null): Promise<number> {
  const headers: Record<string, string> = bearer === null ? {} : { authorization: `Bearer ${bearer}` }
  return (await broadcastServer.endpoint.request(location, { method: 'DELETE', token: null, headers })).status
}
