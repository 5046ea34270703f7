import { knownServers, negotiate, type Session, type Ticket } from './negotiate.ts'
import { type Counters, countersOf, type NetSample, sampleBetween } from './sample.ts'

/** Ms that a connection may take to stand. */
const STANDS = 6000
/** Ms without a single byte after which the line is taken as gone. */
const SILENT = 3000
const EVERY = 1000

export interface DownlinkParts {
  endpoint: string
  ticket: Ticket
  ice: readonly RTCIceServer[]
  /** Without it, sound alone. */
  picture: boolean
  /** Media comes: the stream can be shown. */
  up: (stream: MediaStream) => void
  /** The line is gone, or never stood (`stood` false). */
  gone: (stood: boolean) => void
  sampled?: (sample: NetSample, flows: boolean) => void
}

export interface Downlink {
  close(): void
}

/** One playing connection (WHEP). Rejects with NegotiationError when the server says no. */
export async function openDownlink({
  endpoint,
  ticket,
  ice,
  picture,
  up,
  gone,
  sampled,
}: DownlinkParts): Promise<Downlink> {
  const connection = new RTCPeerConnection({ iceServers: knownServers(endpoint, ice), bundlePolicy: 'max-bundle' })
  const stream = new MediaStream()
  let session: Session | null = null
  let before: Counters | null = null
  let quiet = Date.now()
  let flowing = false
  let stood = false
  let closed = false
  connection.addEventListener('track', ({ track }) => stream.addTrack(track))
  connection.addTransceiver('audio', { direction: 'recvonly' })
  if (picture) connection.addTransceiver('video', { direction: 'recvonly' })
  connection.addEventListener('connectionstatechange', () => {
    if (connection.connectionState === 'connected') stood = true
    if (connection.connectionState === 'failed') lose()
  })
  const late = setTimeout(() => !stood && lose(), STANDS)
  const timer = setInterval(() => void look().catch(lose), EVERY / 4)

  function lose(): void {
    if (closed) return
    close()
    gone(stood)
  }

  async function look(): Promise<void> {
    if (!session) return
    const now = countersOf(await connection.getStats())
    if (closed) return
    const flows = now.media > (before?.media ?? 0)
    if (now.transport > (before?.transport ?? 0)) quiet = now.at
    if (flows && !flowing) {
      flowing = true
      up(stream)
    }
    if (now.at - quiet > SILENT) return lose()
    if (before && now.at - before.at < EVERY - 50) return
    if (before) sampled?.(sampleBetween(before, now), flows)
    before = now
  }

  function close(): void {
    if (closed) return
    closed = true
    clearTimeout(late)
    clearInterval(timer)
    session?.leave()
    connection.close()
  }

  try {
    session = await negotiate(connection, { endpoint, ticket })
    quiet = Date.now()
    return { close }
  } catch (error) {
    close()
    throw error
  }
}
