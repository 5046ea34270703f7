import { negotiate } from '#islands/broadcast/negotiate.ts'

export interface Uplink {
  /** Bits a second of picture and sound that left. */
  bitrate: number
  /** Share of packets that never arrived. */
  loss: number
  /** Milliseconds there and back; null when the server reports nothing. */
  roundTrip: number | null
}

export interface Probe {
  stream: MediaStream
  /** Measures for so long. */
  measure(seconds: number): Promise<Uplink>
  close(): void
}

interface Target {
  endpoint: string
  ticket: string
  iceServers: RTCIceServer[]
}

const MOST_BITS = 1_000_000
const CONNECTS_MS = 10_000

/** Publishes camera and microphone as on the day of the event. Throws what the browser or the server says against it. */
export async function openProbe({ endpoint, ticket, iceServers }: Target): Promise<Probe> {
  const stream = await navigator.mediaDevices.getUserMedia({ audio: true, video: { width: 1280, height: 720 } })
  const connection = new RTCPeerConnection({ iceServers, bundlePolicy: 'max-bundle' })
  let leave = () => {}
  const close = () => {
    leave()
    connection.close()
    for (const track of stream.getTracks()) track.stop()
  }
  try {
    for (const track of stream.getTracks()) {
      const sendEncodings = track.kind === 'video' ? [{ maxBitrate: MOST_BITS }] : []
      connection.addTransceiver(track, { direction: 'sendonly', streams: [stream], sendEncodings })
    }
    const connected = standing(connection)
    ;({ leave } = await negotiate(connection, { endpoint, ticket }))
    await connected
  } catch (error) {
    close()
    throw error
  }
  return { stream, close, measure: (seconds) => measure(connection, seconds) }
}

function standing(connection: RTCPeerConnection): Promise<void> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error('not connected')), CONNECTS_MS)
    connection.addEventListener('connectionstatechange', () => {
      if (connection.connectionState === 'connected') resolve()
      else if (connection.connectionState === 'failed') reject(new Error('failed'))
      else return
      clearTimeout(late)
    })
  })
}

async function measure(connection: RTCPeerConnection, seconds: number): Promise<Uplink> {
  const before = await countOf(connection)
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000))
  const after = await countOf(connection)
  const sent = after.packets - before.packets
  const span = (after.at - before.at) / 1000
  return {
    bitrate: span > 0 ? Math.round(((after.bytes - before.bytes) * 8) / span) : 0,
    loss: sent > 0 ? Math.max(0, after.lost - before.lost) / sent : 0,
    roundTrip: after.roundTrip === null ? null : Math.round(after.roundTrip * 1000),
  }
}

async function countOf(connection: RTCPeerConnection) {
  const count = { at: performance.now(), bytes: 0, packets: 0, lost: 0, roundTrip: null as number | null }
  for (const one of (await connection.getStats()).values()) {
    if (one.type === 'outbound-rtp') {
      count.bytes += one.bytesSent ?? 0
      count.packets += one.packetsSent ?? 0
    }
    if (one.type === 'remote-inbound-rtp') count.lost += one.packetsLost ?? 0
    if (one.type === 'candidate-pair' && one.nominated) count.roundTrip = one.currentRoundTripTime ?? count.roundTrip
  }
  return count
}
