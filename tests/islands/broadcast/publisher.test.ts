import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createPublisher, type WhipPublisher } from '#islands/broadcast/publisher.ts'
import { fakeBrowser, line, realBrowser } from './fake-connection.ts'

vi.mock('#islands/broadcast/level-meter.ts', () => ({ createLevelMeter: () => ({ $level: null, measure: () => {} }) }))

class FakeTrack extends EventTarget {
  readonly kind: string
  lit = true

  constructor(kind: string) {
    super()
    this.kind = kind
  }

  stop(): void {
    this.lit = false
  }

  getSettings() {
    return { deviceId: `the ${this.kind}` }
  }
}

/** Requested kinds, by request. */
let questions: string[][]
/** Granted tracks; requests wait until `grant` is called. */
let granted: FakeTrack[]
let grant: () => Promise<unknown>
let publisher: WhipPublisher

beforeEach(() => {
  fakeBrowser()
  granted = []
  questions = []
  const prompts: (() => void)[] = []
  const requestMedia = (constraints: object) =>
    new Promise((resolve) => {
      questions.push(Object.keys(constraints).sort())
      prompts.push(() => {
        const tracks = Object.keys(constraints).map((kind) => new FakeTrack(kind))
        granted.push(...tracks)
        resolve(new MediaStream(tracks as never))
      })
    })
  grant = () => {
    for (const answer of prompts.splice(0)) answer()
    return vi.advanceTimersByTimeAsync(10)
  }
  const rest = { enumerateDevices: async () => [], addEventListener: () => {}, removeEventListener: () => {} }
  vi.stubGlobal('navigator', { mediaDevices: { getUserMedia: requestMedia, getDisplayMedia: requestMedia, ...rest } })
  publisher = createPublisher({ endpoint: 'https://example.net/whip', token: 'token', kind: 'camera' })
})
afterEach(realBrowser)

const lit = () => granted.flatMap((track) => (track.lit ? [track.kind] : []))

test('publishes the granted devices', async () => {
  void publisher.start()
  await grant()
  expect([publisher.$state.get(), lit().sort(), line.offers]).toEqual([{ is: 'live' }, ['audio', 'video'], 1])
})

test('releases devices granted after its end and sends nothing', async () => {
  void publisher.start()
  publisher.stop()
  await grant()
  expect([publisher.$state.get(), lit(), granted.length, line.offers]).toEqual([{ is: 'idle' }, [], 2, 0])
})

test('releases a screen chosen after its end', async () => {
  const screen = createPublisher({ endpoint: 'https://example.net/whip', token: 'token', kind: 'screen' })
  void screen.start()
  screen.stop()
  await grant()
  expect([screen.$state.get(), lit(), granted.length, line.offers]).toEqual([{ is: 'idle' }, [], 2, 0])
})

test('an earlier permission request does not end a new start', async () => {
  void publisher.start()
  publisher.stop()
  void publisher.start()
  await grant()
  expect([publisher.$state.get(), lit().sort(), line.offers]).toEqual([{ is: 'live' }, ['audio', 'video'], 1])
})

test('does not use a camera that was switched off before permission', async () => {
  void publisher.start({ mic: true, camera: true })
  void publisher.setCamera(false)
  await grant()
  expect([publisher.$state.get(), lit()]).toEqual([{ is: 'live' }, ['audio']])
  void publisher.setCamera(true)
  void publisher.setCamera(false)
  await grant()
  expect(lit()).toEqual(['audio'])
  void publisher.setCamera(true)
  await grant()
  expect(lit()).toEqual(['audio', 'video'])
  void publisher.setCamera(false)
  void publisher.setCamera(true)
  publisher.stop()
  await grant()
  expect(lit()).toEqual([])
})

/** Kinds that are sent: live tracks that are switched on. */
const sent = () =>
  line.opened.flatMap(({ senders }) =>
    senders.flatMap(({ track }) => (track?.enabled === false ? [] : (track?.kind ?? []))),
  )

test.each([
  [{ mic: true, camera: true }, ['audio', 'video']],
  [{ mic: true, camera: false }, ['audio']],
  [{ mic: false, camera: true }, ['video']],
  [{ mic: false, camera: false }, []],
])('with %o it requests, activates and sends only these devices', async (sources, kinds) => {
  void publisher.start(sources)
  await grant()
  expect([questions, lit().sort(), sent().sort()]).toEqual([kinds.length > 0 ? [kinds] : [], kinds, kinds])
})

test.each([
  [{ mic: true, camera: false }, ['audio']],
  [{ mic: false, camera: true }, ['video']],
])('after a check of both devices %o releases the other one', async (sources, kinds) => {
  void publisher.prepare()
  await grant()
  expect(lit().sort()).toEqual(['audio', 'video'])
  void publisher.start(sources)
  await grant()
  expect([lit(), sent()]).toEqual([kinds, kinds])
})

test('a microphone is sent when it is switched on, and not after its loss', async () => {
  void publisher.start({ mic: false, camera: true })
  await grant()
  publisher.setMic(true)
  await grant()
  expect(sent().sort()).toEqual(['audio', 'video'])
  publisher.setMic(false)
  expect(sent()).toEqual(['video'])
  for (const track of granted) if (track.kind === 'audio') track.dispatchEvent(new Event('ended'))
  await grant()
  expect([sent(), lit()].map((kinds) => kinds.filter((kind) => kind === 'video'))).toEqual([['video'], ['video']])
  expect(questions).toEqual([['video'], ['audio']])
})

test('a companion sends the same devices until the end, and is added once', async () => {
  const companion = { endpoint: 'https://example.net/whip-vp8', token: 'token' }
  const own = createPublisher({ endpoint: 'https://example.net/whip', token: 'token', kind: 'camera', companion })
  own.addCompanion()
  void own.start({ mic: false, camera: true })
  await grant()
  own.addCompanion()
  own.addCompanion()
  await vi.advanceTimersByTimeAsync(10)
  expect([line.offers, sent()]).toEqual([2, ['video', 'video']])
  own.setMic(true)
  await grant()
  expect(sent().sort()).toEqual(['audio', 'audio', 'video', 'video'])
  own.stop()
  expect(line.opened.map(({ connectionState }) => connectionState)).toEqual(['closed', 'closed'])
})
