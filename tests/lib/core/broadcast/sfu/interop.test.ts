import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { mediaProcessInfo } from '#lib/core/broadcast/broadcast.ts'
import { newId } from '#lib/core/db/id.ts'
import { type BroadcastServer, startBroadcastServer } from '../../../../setup/media/broadcast-server.ts'
import {
  connectAiortc,
  connectWerift,
  createWeriftOffer,
  type Mode,
  type ThirdPartyClient,
  type VideoChoice,
} from '../../../../setup/media/foreign-clients.ts'
import { startRtpPublisher } from '../../../../setup/media/rtp-publisher.ts'
import { publishByWhip } from '../../../../setup/media/whip-publisher.ts'

let broadcastServer: BroadcastServer
beforeAll(async () => {
  broadcastServer = await startBroadcastServer()
})
const closing: (() => unknown)[] = []
afterEach(async () => {
  broadcastServer.clear()
  for (const close of closing.splice(0)) await close()
})
afterAll(() => broadcastServer.close())

const CLIENTS = { aiortc: connectAiortc, werift: connectWerift }
const SOON = { timeout: 15_000 }

async function opened(
  name: keyof typeof CLIENTS,
  mode: Mode,
  room: string,
  codec?: VideoChoice,
): Promise<ThirdPartyClient> {
  const client = await CLIENTS[name](mode, broadcastServer.requestFor(room, mode), codec)
  closing.push(client.close)
  return client
}

describe.each(['aiortc', 'werift'] as const)('%s', (name) => {
  test('publishes by WHIP', async () => {
    const room = newId()
    await opened(name, 'publish', room)
    const watching = await broadcastServer.startSubscriber(broadcastServer.requestFor(room, 'play'))
    await expect.poll(() => watching.audioPackets, SOON).toBeGreaterThan(20)
    await expect.poll(() => watching.packets, SOON).toBeGreaterThan(20)
  }, 40_000)

  test.each(['H264', 'VP8'] as const)(
    'plays by WHEP what is published in %s',
    async (codec) => {
      const room = newId()
      await broadcastServer.startPublisher(broadcastServer.requestFor(room, 'publish'), codec)
      const client = await opened(name, 'play', room, codec)
      await expect.poll(() => client.packets().video, SOON).toBeGreaterThan(20)
      expect(client.packets().audio).toBeGreaterThan(0)
    },
    40_000,
  )
})

test('werift plays what aiortc publishes', async () => {
  const room = newId()
  await opened('aiortc', 'publish', room, 'VP8')
  const client = await opened('werift', 'play', room, 'VP8')
  await expect.poll(() => client.packets().video, SOON).toBeGreaterThan(20)
}, 40_000)

describe('an encoder like OBS', () => {
  const SSRC_LINES = /^a=ssrc:.*\r\n/gm
  // Encoders of several products announce no SSRC, or others than they use (obs-studio pull request 7926, GStreamer).
  test.each([
    ['as it is announced', (offer: string) => offer],
    ['with SSRCs that the offer does not announce', (offer: string) => offer.replace(SSRC_LINES, '')],
    ['with other SSRCs than announced', (offer: string) => offer.replace(/^a=ssrc:61(\d)/gm, 'a=ssrc:71$1')],
    ['with one announced SSRC for both', (offer: string) => offer.replace(/^a=ssrc:61\d/gm, 'a=ssrc:610')],
    ['with video first', videoFirst],
  ])(
    'is played when it publishes %s',
    async (_, changeOffer) => {
      const room = newId()
      const source = await startRtpPublisher({ codec: 'H264' })
      closing.push(() => source.end())
      closing.push(await publishByWhip(source, { ...broadcastServer.requestFor(room, 'publish'), changeOffer }))
      const client = await opened('werift', 'play', room, 'H264')
      await expect.poll(() => client.packets().video, SOON).toBeGreaterThan(20)
      await expect.poll(() => client.packets().audio, SOON).toBeGreaterThan(20)
    },
    40_000,
  )

  function videoFirst(offer: string): string {
    const [session = '', audio = '', video = ''] = offer.split(/(?=^m=)/m)
    return session.replace('BUNDLE 0 1', 'BUNDLE 1 0') + video + audio
  }
})

describe('an offer that is damaged', () => {
  let whole: string[]
  beforeAll(async () => {
    whole = (await createWeriftOffer()).split('\r\n')
  })

  async function answerTo(sdp: string): Promise<{ status: number; message: string }> {
    const { url, token } = broadcastServer.requestFor(newId(), 'publish')
    const headers = { 'content-type': 'application/sdp', authorization: `Bearer ${token}` }
    const response = await fetch(url, { method: 'POST', headers, body: sdp })
    const text = await response.text()
    if (response.status !== 201) return { status: response.status, message: JSON.parse(text).message }
    const location = response.headers.get('location') ?? ''
    await fetch(new URL(location, url), { method: 'DELETE', headers: { authorization: headers.authorization } })
    return { status: 201, message: '' }
  }

  test.each([
    ['without one of its lines', (lines: string[], nth: number) => lines.toSpliced(nth, 1)],
    ['with one line twice', (lines: string[], nth: number) => lines.toSpliced(nth, 0, lines[nth] ?? '')],
    ['with a value cut off', (lines: string[], nth: number) => lines.with(nth, (lines[nth] ?? '').slice(0, 9))],
    [
      'with a value of junk',
      (lines: string[], nth: number) => lines.with(nth, `${(lines[nth] ?? '').slice(0, 6)}\u0000я:-1`),
    ],
    ['cut off in the middle', (lines: string[], nth: number) => lines.slice(0, nth)],
  ])(
    '%s is answered, or refused with a reason',
    async (_, damage) => {
      const { pid } = mediaProcessInfo()
      const answers = await Promise.all(whole.map((_line, nth) => answerTo(damage(whole, nth).join('\r\n'))))
      for (const { status, message } of answers) {
        expect([201, 400, 422]).toContain(status)
        if (status !== 201) expect(message).toMatch(/ /)
      }
      // The damaged offer has not ended the process of all streams.
      expect(mediaProcessInfo().pid).toBe(pid ?? mediaProcessInfo().pid)
    },
    60_000,
  )
})
