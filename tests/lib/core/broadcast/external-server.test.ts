import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '#lib/core/db/id.ts'
import { type EndpointServer, startEndpointServer } from '../../../setup/meeting/endpoint-server.ts'

const room = newId()
let endpoint: EndpointServer
let broadcast: typeof import('#lib/core/broadcast/broadcast.ts')
beforeAll(async () => {
  process.env.WHIP_URL = 'https://media.example.com:8889/{room}/{stream}/whip'
  process.env.WHEP_URL = 'https://play.example.com/{room}/{stream}/whep'
  const { broadcastEndpoint } = await import('#lib/core/broadcast/broadcast-endpoint.ts')
  broadcast = await import('#lib/core/broadcast/broadcast.ts')
  endpoint = await startEndpointServer({ '/v1/broadcast/': broadcastEndpoint(async () => true) })
})
afterAll(() => endpoint.httpServer.drain(50))

test('with an external server its WHIP and WHEP URLs are used', async () => {
  expect(broadcast.streamEndpoints(room, 'camera')).toEqual({
    whip: `https://media.example.com:8889/${room}/camera/whip`,
    whep: `https://play.example.com/${room}/camera/whep`,
    iceServers: [],
  })
  const { completeContentSecurityPolicy } = await import('#lib/core/http/response-headers.ts')
  const page = new Response('', { headers: { 'content-security-policy': "default-src 'self'; connect-src 'self';" } })
  expect(completeContentSecurityPolicy(page).headers.get('content-security-policy')).toContain(
    "connect-src 'self' https://media.example.com:8889 https://play.example.com;",
  )
})

test('with an external server no media process is started', async () => {
  const wish = { room, stream: 'camera', participant: newId(), sdp: 'v=0' }
  await expect(broadcast.publishStream(wish)).rejects.toMatchObject({ code: 'not_found' })
  await expect(broadcast.playStream(wish)).rejects.toMatchObject({ code: 'not_found' })
  expect(await broadcast.endSession('nothing')).toBe(false)
  expect(await broadcast.disconnectParticipant(room, wish.participant)).toBe(0)
  expect(await broadcast.getSfuStatus()).toBeNull()
  await (await broadcast.startBroadcast({ now: true }))()
  const answer = await endpoint.request(`/v1/broadcast/whip/${room}/camera`, { method: 'POST', token: null })
  expect(answer.status).toBe(404)
  expect(broadcast.mediaProcessInfo().pid).toBeNull()
})

test('an external server can authorize tokens', async () => {
  const { signStreamToken } = await import('#lib/core/broadcast/stream-token.ts')
  const issuedAt = Math.floor(Date.now() / 1000)
  const claims = { tenantId: newId(), room, participant: newId(), stream: 'camera', direction: 'publish' as const }
  const token = signStreamToken(claims, { issuedAt, expiresAt: issuedAt + 60 })
  const verifyToken = (path: string) => {
    const body = Buffer.from(JSON.stringify({ action: 'publish', path, token, protocol: 'webrtc' }))
    return endpoint.request('/v1/broadcast/verify', { method: 'POST', token: null, body })
  }
  expect((await verifyToken(`${room}/camera`)).status).toBe(204)
  expect((await verifyToken(`${newId()}/camera`)).status).toBe(401)
  await broadcast.disconnectParticipant(room, claims.participant)
  expect((await verifyToken(`${room}/camera`)).status).toBe(401)
})
