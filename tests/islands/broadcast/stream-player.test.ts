import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { HlsOptions } from '#islands/broadcast/hls-playback.ts'
import { createStreamPlayer } from '#islands/broadcast/stream-player.ts'
import { CallError } from '#islands/stores/call-error.ts'
import { fakeBrowser, line, realBrowser } from './fake-connection.ts'

let reported: unknown[]
beforeEach(() => {
  reported = fakeBrowser().reported
})
afterEach(realBrowser)

const hls = vi.hoisted(() => ({ opened: [] as HlsOptions[] }))

/** HLS that plays immediately after it is opened. */
vi.mock('#islands/broadcast/hls-playback.ts', () => ({
  openHls: async (options: HlsOptions) => {
    hls.opened.push(options)
    setTimeout(options.onPlaying)
    return { close: () => {} }
  },
}))

const endpoint = 'https://example.net/whep'

function screen(): HTMLVideoElement {
  const video: Partial<HTMLVideoElement> = { muted: false, play: async () => {}, removeAttribute: () => {} }
  return video as HTMLVideoElement
}

function watch(token: () => Promise<string>) {
  return createStreamPlayer({ video: screen(), endpoint, token, hlsUrl: null })
}

test('a token request is retried while the server restarts', async () => {
  const failures = [
    new CallError('unreachable', 0, ''),
    new CallError('internal', 502, ''),
    new TypeError('no network'),
  ]
  const watcher = watch(async () => {
    const failure = failures.shift()
    if (failure) throw failure
    return 'stream-token'
  })
  await vi.advanceTimersByTimeAsync(0)
  expect(watcher.$state.get()).toBe('lost')
  await vi.advanceTimersByTimeAsync(5000)
  expect(watcher.$state.get()).toBe('playing')
  watcher.stop()
})

test('a refused token ends it until a reconnect', async () => {
  const getToken = vi.fn(async () => {
    throw new CallError('forbidden', 403, '')
  })
  const watcher = watch(getToken)
  await vi.advanceTimersByTimeAsync(60_000)
  expect([watcher.$state.get(), getToken.mock.calls.length]).toEqual(['lost', 1])
  watcher.reconnect()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(getToken).toHaveBeenCalledTimes(2)
  watcher.stop()
})

test('an unexpected error is reported and retried', async () => {
  const odd = new TypeError('an answer that is none')
  line.answer = () => {
    if (line.offers === 1) throw odd
  }
  const watcher = watch(async () => 'stream-token')
  await vi.advanceTimersByTimeAsync(2000)
  expect([watcher.$state.get(), reported]).toEqual(['playing', [odd]])
  watcher.stop()
})

const open = () => line.opened.filter(({ connectionState }) => connectionState !== 'closed')

test('abandoned connections are closed', async () => {
  const watcher = watch(async () => 'stream-token')
  await vi.advanceTimersByTimeAsync(2000)
  watcher.setAudioOnly(true)
  await vi.advanceTimersByTimeAsync(2000)
  watcher.setAudioOnly(false)
  await vi.advanceTimersByTimeAsync(10)
  expect(open()).toHaveLength(2)
  open()[1]?.become('failed')
  await vi.advanceTimersByTimeAsync(2000)
  expect([open().length, watcher.$state.get()]).toEqual([1, 'playing'])
  watcher.stop()
  expect(open()).toEqual([])
})

test('a background WebRTC attempt ends with the player', async () => {
  line.answer = () => {
    throw new TypeError('no line')
  }
  const hlsUrl = 'https://example.net/hls/'
  const watcher = createStreamPlayer({ video: screen(), endpoint, token: 'stream-token', hlsUrl, retryWebrtcMs: 5000 })
  await vi.advanceTimersByTimeAsync(2000)
  expect([watcher.$mode.get(), open().length]).toEqual(['hls', 0])
  // The connection is established, and no media is sent.
  line.answer = () => {}
  line.quiet = true
  await vi.advanceTimersByTimeAsync(5000)
  expect([watcher.$mode.get(), open().length]).toEqual(['hls', 1])
  watcher.stop()
  expect(open()).toEqual([])
})

/** A player by HLS, because no connection succeeds, and a line on which the next one does. */
async function playByHls() {
  line.answer = () => {
    throw new TypeError('no line')
  }
  const hlsUrl = 'https://example.net/hls/'
  const watcher = createStreamPlayer({ video: screen(), endpoint, token: 'stream-token', hlsUrl, retryWebrtcMs: 5000 })
  await vi.advanceTimersByTimeAsync(1000)
  expect(watcher.$mode.get()).toBe('hls')
  line.answer = () => {}
  return watcher
}

test('WebRTC is retried although HLS stalls and plays again more often than that', async () => {
  const watcher = await playByHls()
  for (let second = 0; second < 6 && watcher.$mode.get() === 'hls'; second += 1) {
    hls.opened.at(-1)?.onPlaying()
    await vi.advanceTimersByTimeAsync(1000)
  }
  expect(watcher.$mode.get()).toBe('webrtc')
  watcher.stop()
})

test('WebRTC is retried although the playback by HLS ends and is opened again more often than that', async () => {
  const watcher = await playByHls()
  const before = hls.opened.length
  for (let ends = 0; ends < 3 && watcher.$mode.get() === 'hls'; ends += 1) {
    hls.opened.at(-1)?.onEnd(500)
    await vi.advanceTimersByTimeAsync(2000)
  }
  expect(hls.opened.length).toBeGreaterThan(before)
  expect(watcher.$mode.get()).toBe('webrtc')
  watcher.stop()
})

/** A server that does not offer the codec of this browser until `has` is called. */
function withoutCodec(): { has(): void } {
  const post = fetch
  let missing = true
  vi.stubGlobal('fetch', (address: string, init: RequestInit) => {
    if (init.method !== 'POST' || !missing) return post(address, init)
    line.offers += 1
    return Promise.resolve(new Response('{"code":"unprocessable"}', { status: 422 }))
  })
  return {
    has: () => {
      missing = false
    },
  }
}

test('a browser without the codec plays by HLS at once, and by WebRTC as soon as the publisher adds its codec', async () => {
  const server = withoutCodec()
  const watcher = createStreamPlayer({
    video: screen(),
    endpoint,
    token: 'stream-token',
    hlsUrl: 'https://example.net/hls/',
  })
  await vi.advanceTimersByTimeAsync(100)
  expect([watcher.$mode.get(), watcher.$state.get(), line.offers]).toEqual(['hls', 'playing', 1])
  server.has()
  await vi.advanceTimersByTimeAsync(5000)
  expect([watcher.$mode.get(), watcher.$state.get()]).toEqual(['webrtc', 'playing'])
  watcher.stop()
})

test('a browser without the codec and HLS waits for the codec', async () => {
  const server = withoutCodec()
  const watcher = watch(async () => 'stream-token')
  await vi.advanceTimersByTimeAsync(3000)
  expect(watcher.$state.get()).toBe('waiting')
  server.has()
  await vi.advanceTimersByTimeAsync(8000)
  expect(watcher.$mode.get()).toBe('webrtc')
  watcher.stop()
})
