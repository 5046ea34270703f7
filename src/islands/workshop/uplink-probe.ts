import { negotiate } from '#islands/broadcast/negotiate.ts'

export interface Uplink {
  /** Sent bits per second of audio and video. */
  bitsPerSecond: number
  /** Share of lost packets, 0 to 1. */
  lossShare: number
  /** Round-trip time; null when the server reports none. */
  roundTripMs: number | null
}

export interface Probe {
  stream: MediaStream
  /** Measures the uplink for this many seconds. */
  measure(seconds: number): Promise<Uplink>
  close(): void
}

interface ProbeTarget {
  endpoint: string
  token: string
  iceServers: RTCIceServer[]
}

const MAX_BITS_PER_SECOND = 1_000_000
const CONNECT_TIMEOUT_MS = 10_000

/** Publishes camera and microphone as during an event. Throws the error of the browser or the server. */
export async function openProbe({ endpoint, token, iceServers }: ProbeTarget): Promise<Probe> {
  const stream = await navigator.mediaDevices.getUserMedia({ audio: true, video: { width: 1280, height: 720 } })
  const connection = new RTCPeerConnection({ iceServers, bundlePolicy: 'max-bundle' })
  let stopPublishing = () => {}
  const close = () => {
    stopPublishing()
    connection.close()
    for (const track of stream.getTracks()) track.stop()
  }
  try {
    for (const track of stream.getTracks()) {
      const sendEncodings = track.kind === 'video' ? [{ maxBitrate: MAX_BITS_PER_SECOND }] : []
      connection.addTransceiver(track, { direction: 'sendonly', streams: [stream], sendEncodings })
    }
    const connected = waitUntilConnected(connection)
    ;({ endSession: stopPublishing } = await negotiate(connection, { endpoint, token }))
    await connected
  } catch (error) {
    close()
    throw error
  }
  return { stream, close, measure: (seconds) => measureUplink(connection, seconds) }
}

function waitUntilConnected(connection: RTCPeerConnection): Promise<void> {
  return new Promise((resolve, reject) => {
    const timeout = setTimeout(() => reject(new Error('not connected')), CONNECT_TIMEOUT_MS)
    connection.addEventListener('connectionstatechange', () => {
      if (connection.connectionState === 'connected') resolve()
      else if (connection.connectionState === 'failed') reject(new Error('failed'))
      else return
      clearTimeout(timeout)
    })
  })
}

async function measureUplink(connection: RTCPeerConnection, seconds: number): Promise<Uplink> {
  const before = await readCounters(connection)
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000))
  const after = await readCounters(connection)
  const sent = after.packets - before.packets
  const seconds_ = (after.at - before.at) / 1000
  return {
    bitsPerSecond: seconds_ > 0 ? Math.round(((after.bytes - before.bytes) * 8) / seconds_) : 0,
    lossShare: sent > 0 ? Math.max(0, after.lost - before.lost) / sent : 0,
    roundTripMs: after.roundTrip === null ? null : Math.round(after.roundTrip * 1000),
  }
}

async function readCounters(connection: RTCPeerConnection) {
  const counters = { at: performance.now(), bytes: 0, packets: 0, lost: 0, roundTrip: null as number | null }
  for (const report of (await connection.getStats()).values()) {
    if (report.type === 'outbound-rtp') {
      counters.bytes += report.bytesSent ?? 0
      counters.packets += report.packetsSent ?? 0
    }
    if (report.type === 'remote-inbound-rtp') counters.lost += report.packetsLost ?? 0
    if (report.type === 'candidate-pair' && report.nominated)
      counters.roundTrip = report.currentRoundTripTime ?? counters.roundTrip
  }
  return counters
}
