import { randomUUID } from 'node:crypto'
import { companionOf, mainOf } from '../companion.ts'
import type { Expulsion } from '../expelled.ts'
import type { OnPublisher, VideoCodec } from '../tap/tapped.ts'
import type { Net } from './peer.ts'
import type { Fault, Opened, StreamName, StreamStatus, StreamTold, Wish } from './protocol.ts'
import { openPublisher, type Publisher } from './publisher.ts'
import { BadOffer, type Kept, keepOne, mustFlow } from './sdp.ts'
import { seenOf } from './stream-rewriter.ts'
import { openViewer, type Viewer } from './subscriber.ts'

/** How long viewers wait for a publisher who is away, in ms. */
const PATIENCE = 60_000
/** Streams that one person plays in a room at once; a next one ends the oldest, which a closed page may have left. */
const MOST_OF_ONE = 16
/** The longest packet that comes over a line. */
const LONGEST = 2048

export class Refused extends Error {
  readonly fault: Fault

  constructor(fault: Fault, words: string) {
    super(words)
    this.fault = fault
  }
}

// Viewers belong to a stream's name: it outlives its publisher, who may reload.
interface Stream {
  room: string
  stream: string
  publisher: Publisher | null
  /** Of whoever published last, so that those who come meanwhile can be answered. */
  codec: VideoCodec | null
  viewers: Set<Viewer>
  away: NodeJS.Timeout | undefined
}

interface Session {
  room: string
  stream: string
  person: string
  plays: boolean
  end(): void
}

export interface RoomOptions {
  net: Net
  viewers: number
  onStream(told: StreamTold): void
  /** A viewer cannot decode the stream, and could if it were there in VP8. */
  onCodecMissing(stream: StreamName): void
}

/** All streams of all rooms, and who publishes and plays them. */
export function openRooms({ net, viewers: most, onStream, onCodecMissing }: RoomOptions) {
  const streams = new Map<string, Stream>()
  const sessions = new Map<string, Session>()
  const listeners = new Set<Parameters<OnPublisher>[0]>()
  // Filled for each packet and written over for each viewer: libdatachannel copies what it sends.
  const scratch = Buffer.allocUnsafeSlow(LONGEST)
  let playing = 0

  /** Takes a stream; whoever published under its name before is ended and its viewers go on with this one. */
  async function publish({ room, stream: name, person, sdp: offer }: Wish): Promise<Opened> {
    const kept = keepOne(offer, streams.get(nameOf(room, name))?.codec ?? null)
    mustFlow(kept, 'publish')
    const resource = randomUUID()
    let publisher: Publisher | null = null
    let gone = false
    const opened = await openPublisher(kept, net, () => {
      gone = true
      sessions.delete(resource)
      if (publisher) leave(streams.get(nameOf(room, name)), publisher)
    })
    if (gone) throw new Refused('failed', 'the connection ended while it began')
    publisher = opened.publisher
    sessions.set(resource, { room, stream: name, person, plays: false, end: publisher.end })
    begin(streamOf(room, name), publisher)
    return { resource, sdp: opened.sdp }
  }

  /** Answers a viewer with the publisher's codec. Throws Refused `absent` where nobody publishes or did lately. */
  async function play({ room, stream: name, person, sdp: offer }: Wish): Promise<Opened> {
    const main = streams.get(nameOf(room, name))
    if (!main) throw new Refused('absent', 'nobody publishes this stream')
    const theirs = sessionsOf(room, person).filter(({ plays }) => plays)
    if (theirs.length >= MOST_OF_ONE) theirs[0]?.end()
    if (playing >= most) throw new Refused('full', `${most} streams are played already`)
    const { stream, kept } = decodable(main, offer)
    mustFlow(kept, 'play')
    const resource = randomUUID()
    let viewer: Viewer | null = null
    let gone = false
    const leave = () => {
      if (gone) return
      gone = true
      playing -= 1
      sessions.delete(resource)
      if (viewer) stream.viewers.delete(viewer)
    }
    // Counted before the answer is ready, so that those who come together do not all pass.
    playing += 1
    const opened = await openViewer(kept, net, stream, leave).catch((error: unknown) => {
      leave()
      throw error
    })
    viewer = opened.viewer
    if (gone || streams.get(nameOf(room, stream.stream)) !== stream || !suits(viewer, stream)) {
      viewer.end()
      throw new Refused('absent', 'the stream ended meanwhile, or goes on in another codec')
    }
    sessions.set(resource, { room, stream: name, person, plays: true, end: viewer.end })
    stream.viewers.add(viewer)
    return { resource, sdp: opened.sdp }
  }

  /** The stream itself, or its companion for a viewer who has only the companion's codec. Throws BadOffer. */
  function decodable(main: Stream, offer: string): { stream: Stream; kept: Kept } {
    try {
      return { stream: main, kept: keepOne(offer, main.codec, main.codec !== null) }
    } catch (error) {
      if (!(error instanceof BadOffer) || error.fault !== 'unfit' || main.codec !== 'H264') throw error
      const kept = keepOne(offer, 'VP8', true)
      const companion = streams.get(nameOf(main.room, companionOf(main.stream)))
      if (companion?.publisher && companion.codec === 'VP8') return { stream: companion, kept }
      onCodecMissing({ room: main.room, stream: main.stream })
      throw error
    }
  }

  const sessionsOf = (room: string, person: string): Session[] =>
    [...sessions.values()].filter((session) => session.room === room && session.person === person)

  function begin(stream: Stream, publisher: Publisher): void {
    const before = stream.publisher
    clearTimeout(stream.away)
    stream.publisher = publisher
    // One who comes without a camera for now does not end the picture of those who wait.
    stream.codec = publisher.codec ?? stream.codec
    before?.end()
    for (const viewer of stream.viewers) {
      if (suits(viewer, publisher)) viewer.joinOn()
      else viewer.end()
    }
    publisher.onPacket((kind, packet) => {
      if (stream.publisher !== publisher || stream.viewers.size === 0) return
      if (packet.length > LONGEST) return
      const copy = scratch.subarray(0, packet.copy(scratch))
      const seen = seenOf(packet)
      const now = Date.now()
      for (const viewer of stream.viewers) viewer.send(kind, seen, copy, now)
    })
    publisher.requestKeyframe()
    onStream({ room: stream.room, stream: stream.stream, up: true, codec: stream.codec })
    for (const listener of listeners) listener(stream.room, stream.stream, publisher)
  }

  function leave(stream: Stream | undefined, publisher: Publisher): void {
    if (stream?.publisher !== publisher) return
    stream.publisher = null
    onStream({ room: stream.room, stream: stream.stream, up: false, codec: stream.codec })
    stream.away = setTimeout(() => forget(stream), PATIENCE)
  }

  function forget(stream: Stream): void {
    clearTimeout(stream.away)
    streams.delete(nameOf(stream.room, stream.stream))
    for (const viewer of stream.viewers) viewer.end()
  }

  function streamOf(room: string, stream: string): Stream {
    const name = nameOf(room, stream)
    const known = streams.get(name)
    if (known) return known
    const fresh: Stream = { room, stream, publisher: null, codec: null, viewers: new Set(), away: undefined }
    streams.set(name, fresh)
    return fresh
  }

  const onPublisher: OnPublisher = (listener) => {
    listeners.add(listener)
    for (const { room, stream, publisher } of streams.values()) if (publisher) listener(room, stream, publisher)
    return () => void listeners.delete(listener)
  }

  return {
    publish,
    play,
    onPublisher,
    /** Ends one session; false when there is none of that name, or not of that person. */
    end(resource: string, person: string | null): boolean {
      const session = sessions.get(resource)
      if (!session || (person !== null && session.person !== person)) return false
      session.end()
      return true
    },
    /** Ends all that a person publishes and plays in a room, or the part that is named; tells how many it were. */
    expel(room: string, person: string, { publishing = false, stream = null }: Expulsion = {}): number {
      const theirs = sessionsOf(room, person).filter(
        (session) => !(publishing && session.plays) && (stream === null || mainOf(session.stream) === stream),
      )
      for (const session of theirs) session.end()
      return theirs.length
    },
    /** Ends all that is published and played in a room, and forgets its streams; tells how many sessions it were. */
    clear(room: string): number {
      const all = [...sessions.values()].filter((session) => session.room === room)
      for (const session of all) session.end()
      for (const stream of streams.values()) if (stream.room === room) forget(stream)
      return all.length
    },
    status: () => ({ streams: [...streams.values()].map(statusOf), viewers: playing }),
    close() {
      for (const stream of streams.values()) clearTimeout(stream.away)
      for (const session of sessions.values()) session.end()
    },
  }
}

const nameOf = (room: string, stream: string): string => `${room}/${stream}`

/** A picture in another codec cannot go on in the same connection: its viewer comes again. */
const suits = (viewer: Viewer, { codec }: Pick<Stream, 'codec'>): boolean =>
  viewer.codec === null || codec === null || viewer.codec === codec

function statusOf({ room, stream, publisher, codec, viewers }: Stream): StreamStatus {
  const counts = publisher?.counts() ?? { packets: 0, recovered: 0, lost: 0 }
  return { room, stream, up: publisher !== null, codec, viewers: viewers.size, ...counts }
}
