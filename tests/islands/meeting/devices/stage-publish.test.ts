import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { RoomView } from '#lib/meeting/room-schema.ts'
import { ChatSettings } from '#lib/workshop/session/event-schema.ts'
import { initialRoomState } from '#lib/workshop/session/state-rules.ts'
import { fakeBrowser, realBrowser } from '../../broadcast/fake-connection.ts'

vi.mock('#islands/meeting/connection.ts', () => ({ connectRoom: () => () => {} }))
vi.mock('#islands/meeting/room-api.ts', () => ({ createRoomApi: () => ({ goOnAir: async () => ({}) }) }))

const storedValues = new Map<string, string>()
const requestedKinds: string[][] = []
beforeEach(() => {
  vi.resetModules()
  fakeBrowser()
  requestedKinds.length = 0
  storedValues.clear()
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => storedValues.get(key) ?? null,
    setItem: (key: string, value: string) => storedValues.set(key, value),
    removeItem: (key: string) => storedValues.delete(key),
  })
  const getUserMedia = (constraints: object) => {
    requestedKinds.push(Object.keys(constraints).sort())
    return new Promise(() => {})
  }
  const rest = { enumerateDevices: async () => [], addEventListener: () => {}, removeEventListener: () => {} }
  vi.stubGlobal('navigator', { mediaDevices: { getUserMedia, ...rest } })
})
afterEach(realBrowser)

function view(): RoomView {
  const me = { personId: 'p', name: 'Guest', role: 'viewer', kind: 'guest', locale: 'uk', mutedUntil: null }
  const address = { endpoint: 'https://example.net/whip', token: 't' }
  const way = { ...address, companion: address }
  const media = { publish: { camera: way, screen: way }, iceServers: [], play: {}, expiresAt: Number.MAX_SAFE_INTEGER }
  const rest = { online: 0, votes: {}, staff: null, tally: null, auto: null, serverNow: Date.now(), media }
  const state = initialRoomState(ChatSettings.parse({}), null)
  return Object.assign({ ...rest, seatToken: 't', sessionId: 's', lastSeq: 0, liveId: null, state, me }) as never
}

test.each([
  ['the camera', { camera: true }, [['video']]],
  ['the microphone', { mic: true }, [['audio']]],
  ['both devices', { mic: true, camera: true }, [['audio', 'video']]],
])('switching on %s requests only that device', async (_, device, kinds) => {
  const { openRoom } = await import('#islands/meeting/room.ts')
  const { switchDevices } = await import('#islands/meeting/devices/stage-publish.ts')
  openRoom(view())
  void switchDevices(device)
  await vi.waitFor(() => expect(requestedKinds).toEqual(kinds), 10_000)
})

test('a reloaded tab without stored devices publishes again without requesting any device', async () => {
  const { openRoom } = await import('#islands/meeting/room.ts')
  const { $publishers, resumePublishing } = await import('#islands/meeting/devices/stage-publish.ts')
  storedValues.set('on-air:meeting.s.camera', '1')
  openRoom(view())
  void resumePublishing()
  await vi.waitFor(() => expect($publishers.get().camera?.$state.get().is).toBe('live'), 10_000)
  expect(requestedKinds).toEqual([])
})
