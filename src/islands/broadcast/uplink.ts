import type { StreamKind } from './capture.ts'
import {
  iceServersFor,
  isLasting,
  type NegotiatedSession,
  NegotiationError,
  negotiate,
  type TokenSource,
} from './negotiate.ts'
import type { PublishFailure } from './publish-state.ts'
import { watchReports } from './report-monitor.ts'
import { createRetry } from './retry.ts'

/** Maximum bit rates in bits per second. */
const MAX_BITRATES = { camera: 1_000_000, screen: 1_500_000, audio: 40_000 }
/** Time for which a disconnected connection may recover by itself. */
const RECONNECT_DELAY_MS = 1500
/** Timeout of establishing a new connection, in ms. */
const CONNECT_TIMEOUT_MS = 8000

interface UplinkOptions {
  endpoint: string
  token: TokenSource
  kind: StreamKind
  iceServers: readonly RTCIceServer[]
  /** Read each time a connection is established. */
  tracks: { audio: MediaStreamTrack | null; video: MediaStreamTrack | null }
  onState: (state: 'live' | 'reconnecting' | PublishFailure) => void
  /** The only codec of the video, which is then sent at half its size; by default H.264 is preferred. */
  codec?: 'VP8'
}

/** A publishing connection that is reopened until it is closed. */
export function createUplink({ endpoint, token, kind, iceServers, tracks, onState, codec }: UplinkOptions) {
  const retry = createRetry()
  let connection: RTCPeerConnection | null = null
  let session: NegotiatedSession | null = null
  let abortController: AbortController | null = null
  let reconnectTimer: ReturnType<typeof setTimeout> | undefined
  let stopReports = (): void => {}
  const senders: { audio?: RTCRtpSender; video?: RTCRtpSender } = {}

  async function connect(): Promise<void> {
    closeConnection()
    const ownConnection = new RTCPeerConnection({
      iceServers: iceServersFor(endpoint, iceServers),
      bundlePolicy: 'max-bundle',
    })
    const own = new AbortController()
    connection = ownConnection
    abortController = own
    ownConnection.addEventListener(
      'connectionstatechange',
      () => connection === ownConnection && handleStateChange(ownConnection),
    )
    addTracks(ownConnection)
    try {
      session = await negotiate(ownConnection, { endpoint, token, signal: own.signal })
      reconnectTimer = setTimeout(
        () => connection === ownConnection && ownConnection.connectionState !== 'connected' && reconnect(),
        CONNECT_TIMEOUT_MS,
      )
    } catch (error) {
      if (connection !== ownConnection) return
      if (error instanceof NegotiationError) return handleRefusal(error)
      reportError(error)
      reconnect()
    }
  }

  function addTracks(to: RTCPeerConnection): void {
    for (const which of ['audio', 'video'] as const) {
      // A screen without audio offers no audio track; a camera may be switched on later.
      if (kind === 'screen' && which === 'audio' && !tracks.audio) continue
      const maxBitrate = which === 'audio' ? MAX_BITRATES.audio : MAX_BITRATES[kind]
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

  function handleStateChange(ownConnection: RTCPeerConnection): void {
    const { connectionState } = ownConnection
    clearTimeout(reconnectTimer)
    if (connectionState === 'connected') {
      stopReports()
      stopReports = watchReports(ownConnection, () => connection === ownConnection && reconnect())
      retry.reset()
      onState('live')
    } else if (connectionState === 'disconnected') {
      onState('reconnecting')
      reconnectTimer = setTimeout(reconnect, RECONNECT_DELAY_MS)
    } else if (connectionState === 'failed') reconnect()
  }

  function reconnect(atLeast = 0): void {
    onState('reconnecting')
    retry.schedule(() => void connect(), atLeast)
  }

  function handleRefusal(error: NegotiationError): void {
    if (error.code === 'broadcast_full') onState('full')
    else if (isLasting(error)) onState('refused')
    else reconnect(error.retryAfterMs ?? 0)
  }

  function closeConnection(): void {
    clearTimeout(reconnectTimer)
    stopReports()
    abortController?.abort()
    session?.endSession()
    connection?.close()
    connection = session = abortController = null
  }

  // After a change of the network the old route no longer works: ICE would need half a minute to detect that.
  const handleOnline = (): void => {
    if (connection && connection.connectionState !== 'connected') reconnect()
  }

  return {
    async open(): Promise<void> {
      addEventListener('online', handleOnline)
      await connect()
    },
    async replace(which: 'audio' | 'video', track: MediaStreamTrack | null): Promise<void> {
      await senders[which]?.replaceTrack(track).catch(() => {})
    },
    close(): void {
      removeEventListener('online', handleOnline)
      retry.stop()
      closeConnection()
    },
  }
}

// H.264 needs no transcoding for HLS; VP8 follows for browsers without H.264.
function preferCodecs(transceiver: RTCRtpTransceiver, only?: 'VP8'): void {
  const codecs = RTCRtpReceiver.getCapabilities?.('video')?.codecs ?? []
  const acceptedCodecs = only
    ? codecs.filter(({ mimeType }) => mimeType.toLowerCase() === `video/${only.toLowerCase()}`)
    : codecs
  const weight = ({ mimeType, sdpFmtpLine = '' }: RTCRtpCodec): number => {
    if (/H264/i.test(mimeType)) return /42e0/i.test(sdpFmtpLine) && /packetization-mode=1/.test(sdpFmtpLine) ? 0 : 1
    return /VP8/i.test(mimeType) ? 2 : 3
  }
  transceiver.setCodecPreferences?.([...acceptedCodecs].sort((a, b) => weight(a) - weight(b)))
}
