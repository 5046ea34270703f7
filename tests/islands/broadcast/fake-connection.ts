import { vi } from 'vitest'

/** Connections in the order of their creation, and a server that answers each offer. */
export const line = {
  opened: [] as FakeConnection[],
  offers: 0,
  answer: (_: RTCSessionDescriptionInit): void => {},
  /** No media is sent: only reports arrive. */
  quiet: false,
}

class FakeConnection extends EventTarget {
  connectionState: RTCPeerConnectionState = 'new'
  iceGatheringState = 'complete'
  localDescription = { sdp: 'v=0' }
  bytes = 0

  constructor() {
    super()
    line.opened.push(this)
  }

  async setLocalDescription(): Promise<void> {}

  async setRemoteDescription(answer: RTCSessionDescriptionInit): Promise<void> {
    line.answer(answer)
    this.become('connected')
  }

  /** The track of each sender, or null. */
  readonly senders: { track: MediaStreamTrack | null; replaceTrack(track: MediaStreamTrack | null): Promise<void> }[] =
    []

  addTransceiver(given: MediaStreamTrack | string) {
    const sender = {
      track: typeof given === 'string' ? null : given,
      async replaceTrack(track: MediaStreamTrack | null) {
        sender.track = track
      },
    }
    this.senders.push(sender)
    return { sender }
  }

  async getStats() {
    this.bytes += 1000
    return new Map([
      ['T', { type: 'transport', bytesReceived: this.bytes }],
      ['V', { type: 'inbound-rtp', bytesReceived: line.quiet ? 0 : this.bytes }],
    ])
  }

  become(state: RTCPeerConnectionState): void {
    this.connectionState = state
    this.dispatchEvent(new Event('connectionstatechange'))
  }

  close(): void {
    this.connectionState = 'closed'
  }
}

class FakeStream {
  readonly tracks: MediaStreamTrack[]

  constructor(tracks: MediaStreamTrack[] = []) {
    this.tracks = tracks
  }

  addTrack(track: MediaStreamTrack): void {
    this.tracks.push(track)
  }

  getTracks(): MediaStreamTrack[] {
    return this.tracks
  }
}

/** A browser with fake connections and a fake clock, a new one for each test. Errors reported go to `reported`. */
export function fakeBrowser(): { reported: unknown[] } {
  const reported: unknown[] = []
  Object.assign(line, { opened: [], offers: 0, answer: () => {}, quiet: false })
  vi.useFakeTimers({ now: 1_000_000 })
  vi.stubGlobal('RTCPeerConnection', FakeConnection)
  vi.stubGlobal('RTCRtpReceiver', {})
  vi.stubGlobal('MediaStream', FakeStream)
  vi.stubGlobal('addEventListener', () => {})
  vi.stubGlobal('removeEventListener', () => {})
  vi.stubGlobal('reportError', (error: unknown) => reported.push(error))
  vi.stubGlobal('fetch', async (address: string, { method }: RequestInit) => {
    if (method === 'POST') line.offers += 1
    const response = new Response('v=0', { status: 201, headers: { location: '/session' } })
    return Object.defineProperty(response, 'url', { value: address })
  })
  return { reported }
}

export function realBrowser(): void {
  vi.useRealTimers()
  vi.unstubAllGlobals()
}
