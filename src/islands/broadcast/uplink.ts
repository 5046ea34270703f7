import type { StreamKind } from './capture.ts'
import { isLasting, knownServers, NegotiationError, negotiate, type Session, type Ticket } from './negotiate.ts'
import { createTries } from './persist.ts'
import type { PublishFailure } from './publish-state.ts'
import { watchReports } from './reports.ts'

/** Bits a second at most. */
const RATES = { camera: 1_000_000, screen: 1_500_000, audio: 40_000 }
/** Ms for which a connection may be disconnected before it is made anew: often it comes back by itself. */
const HOPE = 1500
/** Ms that a new connection may take to stand. */
const STANDS = 8000

interface Parts {
  endpoint: string
  ticket: Ticket
  kind: StreamKind
  ice: readonly RTCIceServer[]
  /** Read whenever a connection is made. */
  tracks: { audio: MediaStreamTrack | null; video: MediaStreamTrack | null }
  told: (state: 'live' | 'reconnecting' | PublishFailure) => void
  /** The one codec of the picture, which is then sent at half its size; without it H.264 is preferred. */
  codec?: 'VP8'
}

/** One publishing connection that is made anew as often as it takes. */
export function createUplink({ endpoint, ticket, kind, ice, tracks, told, codec }: Parts) {
  const tries = createTries()
  let connection: RTCPeerConnection | null = null
  let session: Session | null = null
  let ending: AbortController | null = null
  let hope: ReturnType<typeof setTimeout> | undefined
  let deaf = (): void => {}
  const senders: { audio?: RTCRtpSender; video?: RTCRtpSender } = {}

  async function connect(): Promise<void> {
    drop()
    const mine = new RTCPeerConnection({ iceServers: knownServers(endpoint, ice), bundlePolicy: 'max-bundle' })
    const own = new AbortController()
    connection = mine
    ending = own
    mine.addEventListener('connectionstatechange', () => connection === mine && changed(mine))
    addTracks(mine)
    try {
      session = await negotiate(mine, { endpoint, ticket, signal: own.signal })
      hope = setTimeout(() => connection === mine && mine.connectionState !== 'connected' && again(), STANDS)
    } catch (error) {
      if (connection !== mine) return
      if (error instanceof NegotiationError) return refusedBy(error)
      reportError(error)
      again()
    }
  }

  function addTracks(to: RTCPeerConnection): void {
    for (const which of ['audio', 'video'] as const) {
      // A screen without sound offers none; a camera may be switched on later.
      if (kind === 'screen' && which === 'audio' && !tracks.audio) continue
      const maxBitrate = which === 'audio' ? RATES.audio : RATES[kind]
      const half = codec ? { scaleResolutionDownBy: 2, maxBitrate: maxBitrate / 2 } : { maxBitrate }
      const encoding = which === 'video' ? { ...half, maxFramerate: 30 } : { maxBitrate }
      const transceiver = to.addTransceiver(tracks[which] ?? which, {
        direction: 'sendonly',
        sendEncodings: [encoding],
      })
      senders[which] = transceiver.sender
      if (which === 'video') preferCodecs(transceiver, codec)
    }
  }

  function changed(mine: RTCPeerConnection): void {
    const { connectionState } = mine
    clearTimeout(hope)
    if (connectionState === 'connected') {
      deaf()
      deaf = watchReports(mine, () => connection === mine && again())
      tries.worked()
      told('live')
    } else if (connectionState === 'disconnected') {
      told('reconnecting')
      hope = setTimeout(again, HOPE)
    } else if (connectionState === 'failed') again()
  }

  function again(atLeast = 0): void {
    told('reconnecting')
    tries.again(() => void connect(), atLeast)
  }

  function refusedBy(error: NegotiationError): void {
    if (error.code === 'broadcast_full') told('full')
    else if (isLasting(error)) told('refused')
    else again(error.after ?? 0)
  }

  function drop(): void {
    clearTimeout(hope)
    deaf()
    ending?.abort()
    session?.leave()
    connection?.close()
    connection = session = ending = null
  }

  // The old way out is gone with the network: waiting for ICE to find out takes half a minute.
  const moved = (): void => {
    if (connection && connection.connectionState !== 'connected') again()
  }

  return {
    async open(): Promise<void> {
      addEventListener('online', moved)
      await connect()
    },
    async replace(which: 'audio' | 'video', track: MediaStreamTrack | null): Promise<void> {
      await senders[which]?.replaceTrack(track).catch(() => {})
    },
    close(): void {
      removeEventListener('online', moved)
      tries.stop()
      drop()
    },
  }
}

// H.264 goes into HLS as it is; every browser of today has it, and VP8 stands behind it where one has not.
function preferCodecs(transceiver: RTCRtpTransceiver, only?: 'VP8'): void {
  const codecs = RTCRtpReceiver.getCapabilities?.('video')?.codecs ?? []
  const wanted = only
    ? codecs.filter(({ mimeType }) => mimeType.toLowerCase() === `video/${only.toLowerCase()}`)
    : codecs
  const weight = ({ mimeType, sdpFmtpLine = '' }: RTCRtpCodec): number => {
    if (/H264/i.test(mimeType)) return /42e0/i.test(sdpFmtpLine) && /packetization-mode=1/.test(sdpFmtpLine) ? 0 : 1
    return /VP8/i.test(mimeType) ? 2 : 3
  }
  transceiver.setCodecPreferences?.([...wanted].sort((a, b) => weight(a) - weight(b)))
}
