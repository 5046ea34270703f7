import { iceServersFor, type NegotiatedSession, negotiate, type TokenSource } from './negotiate.ts'
import { type Counters, type NetSample, readCounters, sampleBetween } from './network-sample.ts'

/** Timeout of establishing a connection, in ms. */
const CONNECT_TIMEOUT_MS = 6000
/** Ms without a received byte after which the connection counts as lost. */
const SILENCE_TIMEOUT_MS = 3000
const SAMPLE_INTERVAL_MS = 1000

export interface DownlinkOptions {
  endpoint: string
  token: TokenSource
  iceServers: readonly RTCIceServer[]
  /** False: audio only. */
  withVideo: boolean
  /** Media has arrived: the stream can be shown. */
  onStream: (stream: MediaStream) => void
  /** The connection was lost, or never established (`wasConnected` false). */
  onLost: (wasConnected: boolean) => void
  onSample?: (sample: NetSample, flows: boolean) => void
}

export interface Downlink {
  close(): void
}

/** A playing connection (WHEP). Rejects with NegotiationError when the server refuses it. */
export async function openDownlink({
  endpoint,
  token,
  iceServers,
  withVideo,
  onStream,
  onLost,
  onSample,
}: DownlinkOptions): Promise<Downlink> {
  const connection = new RTCPeerConnection({
    iceServers: iceServersFor(endpoint, iceServers),
    bundlePolicy: 'max-bundle',
  })
  const stream = new MediaStream()
  let session: NegotiatedSession | null = null
  let previous: Counters | null = null
  let lastByteAt = Date.now()
  let isFlowing = false
  let wasConnected = false
  let isClosed = false
  connection.addEventListener('track', ({ track }) => stream.addTrack(track))
  connection.addTransceiver('audio', { direction: 'recvonly' })
  if (withVideo) connection.addTransceiver('video', { direction: 'recvonly' })
  connection.addEventListener('connectionstatechange', () => {
    if (connection.connectionState === 'connected') wasConnected = true
    if (connection.connectionState === 'failed') handleLoss()
  })
  const connectTimer = setTimeout(() => !wasConnected && handleLoss(), CONNECT_TIMEOUT_MS)
  const timer = setInterval(() => void readStatistics().catch(handleLoss), SAMPLE_INTERVAL_MS / 4)

  function handleLoss(): void {
    if (isClosed) return
    close()
    onLost(wasConnected)
  }

  async function readStatistics(): Promise<void> {
    if (!session) return
    const now = readCounters(await connection.getStats())
    if (isClosed) return
    const flows = now.media > (previous?.media ?? 0)
    if (now.transport > (previous?.transport ?? 0)) lastByteAt = now.at
    if (flows && !isFlowing) {
      isFlowing = true
      onStream(stream)
    }
    if (now.at - lastByteAt > SILENCE_TIMEOUT_MS) return handleLoss()
    if (previous && now.at - previous.at < SAMPLE_INTERVAL_MS - 50) return
    if (previous) onSample?.(sampleBetween(previous, now), flows)
    previous = now
  }

  function close(): void {
    if (isClosed) return
    isClosed = true
    clearTimeout(connectTimer)
    clearInterval(timer)
    session?.endSession()
    connection.close()
  }

  try {
    session = await negotiate(connection, { endpoint, token })
    lastByteAt = Date.now()
    return { close }
  } catch (error) {
    close()
    throw error
  }
}
