import { randomInt } from 'node:crypto'
import type { Track } from 'node-datachannel'
import type { Kind, VideoCodec } from '../tap/tapped.ts'
import { type Net, openPeer, SILENCE } from './peer.ts'
import { descriptionOf, type Publisher } from './publisher.ts'
import { askedAgain, controlsOf, isRtcp, senderReport, wantsKeyframe } from './rtp.ts'
import { advertise, type Kept } from './sdp.ts'
import { type Line, newLine, original, readdress, type Seen, seenOf } from './stream-rewriter.ts'

/** What a viewer needs of the stream it watches, whoever publishes it just now. */
export interface Watched {
  readonly publisher: Publisher | null
}

export interface Viewer {
  /** Of the picture; null for one who only listens. */
  readonly codec: VideoCodec | null
  /** Sends a packet on. `copy` holds its bytes, and their head is written over. */
  send(kind: Kind, seen: Seen, copy: Buffer, now: number): void
  /** Another publisher begins: numbers and times go on from where they are. */
  joinOn(): void
  readonly sent: number
  end(): void
}

interface Way {
  kind: Kind
  track: Track
  line: Line
  open: boolean
  /** The first report of the viewer came. */
  reported: boolean
}

/** Sends a stream to one browser. Throws when the offer makes no connection. */
export async function openViewer(kept: Kept, net: Net, stream: Watched, onGone: () => void) {
  const ways: Partial<Record<Kind, Way>> = {}
  const peer = openPeer('viewer', net, () => {
    clearInterval(seconds)
    onGone()
  })
  let heardAt: number | null = null
  const seconds = setInterval(() => {
    const now = Date.now()
    const all = Object.values(ways)
    for (const way of all) tellTime(way, stream, now)
    // Browsers answer the reports that go out each second; who never got a packet has nothing to report.
    if (all.every(({ line }) => line.last === null)) heardAt = null
    else heardAt ??= now
    if (heardAt !== null && now - heardAt > SILENCE) peer.end()
  }, 1000)

  for (const section of [kept.audio, kept.video]) {
    if (!section) continue
    const { kind } = section
    const description = descriptionOf(section, 'SendOnly')
    const line = newLine(randomInt(1, 2 ** 32), section.payload, kind === 'audio' ? 48_000 : 90_000)
    // One name for both, so that the browser keeps sound and picture together.
    description.addSSRC(line.source, 'broadcast', 'broadcast', kind)
    const way: Way = { kind, track: peer.connection.addTrack(description), line, open: false, reported: false }
    ways[kind] = way
    way.track.onOpen(() => {
      way.open = true
      if (kind === 'video') stream.publisher?.requestKeyframe()
    })
    way.track.onMessage((packet) => heed(way, packet))
  }

  function heed(way: Way, packet: Buffer): void {
    if (!isRtcp(packet)) return
    // Some clients drop what comes before they are ready for it, and never ask for a key frame: now they are ready.
    if (!way.reported) stream.publisher?.requestKeyframe()
    way.reported = true
    heardAt = Date.now()
    for (const control of controlsOf(packet)) {
      if (wantsKeyframe(control)) stream.publisher?.requestKeyframe()
      for (const number of askedAgain(control)) resend(way, number)
    }
  }

  function resend(way: Way, number: number): void {
    if (way.line.begins) return
    const packet = stream.publisher?.remembered(way.kind, original(way.line, number))
    if (packet) send(way, seenOf(packet), Buffer.from(packet), Date.now())
  }

  const viewer: Viewer = {
    codec: kept.video?.codec ?? null,
    send(kind, seen, copy, now) {
      const way = ways[kind]
      if (way?.open) send(way, seen, copy, now)
    },
    joinOn() {
      for (const way of Object.values(ways)) way.line.begins = true
    },
    get sent() {
      return Object.values(ways).reduce((sum, { line }) => sum + line.packets, 0)
    },
    end: peer.end,
  }
  try {
    return { viewer, sdp: advertise(await peer.answer(kept.sdp), net.hosts) }
  } catch (error) {
    peer.end()
    throw error
  }
}

// A track that closed meanwhile throws; its end is told by the connection.
function send(way: Way, seen: Seen, copy: Buffer, now: number): void {
  readdress(way.line, seen, copy, now)
  try {
    way.track.sendMessageBinary(copy)
  } catch {
    way.open = false
  }
}

// Before a publisher has told its own clock, the time of the newest packet is the best guess.
function tellTime({ kind, track, line, open }: Way, { publisher }: Watched, now: number): void {
  if (!open || line.last === null || line.begins) return
  const told = publisher?.timeAt(kind, now)
  const guessed = line.last.time + Math.round(((now - line.last.at) * line.clockRate) / 1000)
  const time = told == null ? guessed : told + line.shift.time
  try {
    track.sendMessageBinary(senderReport(line.source, now, time, line))
  } catch {
    // A track that closed meanwhile: its end is told by the connection.
  }
}
