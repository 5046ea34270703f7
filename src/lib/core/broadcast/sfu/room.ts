import { randomUUID } from 'node:crypto'
import { MINUTE_MS } from '../../shared/time.ts'
import { companionStreamOf, mainStreamOf } from '../companion.ts'
import type { SubscribeToPublishers, VideoCodec } from '../frames/packet-source.ts'
import type { DisconnectScope } from '../revocation-list.ts'
import type { NetworkOptions } from './peer.ts'
import type { OpenedSession, SfuFault, StreamId, StreamOffer, StreamState, StreamStatus } from './protocol.ts'
import { openPublisher, type Publisher } from './publisher.ts'
import { type NarrowedOffer, narrowOffer, OfferError, requireDirection } from './sdp.ts'
import { readPacketHeader } from './stream-rewriter.ts'
import { openSubscriber, type Subscriber } from './subscriber.ts'

/** Time for which subscribers stay connected without a publisher. */
const PUBLISHER_ABSENCE_MS = MINUTE_MS
/** Streams that one participant plays in a room at once. One more ends the oldest, which a closed page may have left. */
const MAX_SUBSCRIPTIONS = 16
/** Above the largest packet of a network path (MTU). */
const MAX_PACKET_BYTES = 2048

export class SfuError extends Error {
  readonly fault: SfuFault

  constructor(fault: SfuFault, message: string) {
    super(message)
    this.fault = fault
  }
}

// Subscribers belong to the name of a stream, which outlives a publisher that reloads the page.
interface Stream {
  room: string
  stream: string
  publisher: Publisher | null
  /** Codec of the last publisher, so that offers can be answered while there is none. */
  codec: VideoCodec | null
  subscribers: Set<Subscriber>
  absenceTimer: NodeJS.Timeout | undefined
}

interface Session {
  room: string
  stream: string
  participant: string
  isSubscriber: boolean
  close(): void
}

export interface RoomOptions {
  network: NetworkOptions
  maxSubscribers: number
  onStreamState(state: StreamState): void
  /** A subscriber cannot decode the stream, but could decode a VP8 companion. */
  onCodecMissing(stream: StreamId): void
}

/** All streams of all rooms with their publishers and subscribers. */
export function createRooms({ network, maxSubscribers, onStreamState, onCodecMissing }: RoomOptions) {
  const streams = new Map<string, Stream>()
  const sessions = new Map<string, Session>()
  const publisherListeners = new Set<Parameters<SubscribeToPublishers>[0]>()
  // Reused for all packets and subscribers: libdatachannel copies sent data.
  const packetBuffer = Buffer.allocUnsafeSlow(MAX_PACKET_BYTES)
  let subscriberCount = 0

  /** Opens a publisher. A previous publisher of the same stream is closed; its subscribers continue with this one. */
  async function publish({ room, stream: name, participant, sdp: offer }: StreamOffer): Promise<OpenedSession> {
    const narrowedOffer = narrowOffer(offer, streams.get(streamKey(room, name))?.codec ?? null)
    requireDirection(narrowedOffer, 'publish')
    const resource = randomUUID()
    let publisher: Publisher | null = null
    let isClosed = false
    const opened = await openPublisher(narrowedOffer, network, () => {
      isClosed = true
      sessions.delete(resource)
      if (publisher) endPublisher(streams.get(streamKey(room, name)), publisher)
    })
    if (isClosed) throw new SfuError('failed', 'the connection closed while it was being opened')
    publisher = opened.publisher
    sessions.set(resource, { room, stream: name, participant, isSubscriber: false, close: publisher.close })
    startPublisher(findOrCreateStream(room, name), publisher)
    return { resource, sdp: opened.sdp }
  }

  /** Opens a subscriber with the publisher's codec. Throws SfuError `notPublished` without a current or recent publisher. */
  async function play({ room, stream: name, participant, sdp: offer }: StreamOffer): Promise<OpenedSession> {
    const main = streams.get(streamKey(room, name))
    if (!main) throw new SfuError('notPublished', 'nobody publishes this stream')
    const participantSessions = sessionsOf(room, participant).filter(({ isSubscriber }) => isSubscriber)
    if (participantSessions.length >= MAX_SUBSCRIPTIONS) participantSessions[0]?.close()
    if (subscriberCount >= maxSubscribers) throw new SfuError('full', `${maxSubscribers} streams are played already`)
    const { stream, narrowedOffer } = selectDecodableStream(main, offer)
    requireDirection(narrowedOffer, 'play')
    const resource = randomUUID()
    let subscriber: Subscriber | null = null
    let isClosed = false
    const close = () => {
      if (isClosed) return
      isClosed = true
      subscriberCount -= 1
      sessions.delete(resource)
      if (subscriber) stream.subscribers.delete(subscriber)
    }
    // Counted before the answer is ready, so that simultaneous offers cannot exceed the limit.
    subscriberCount += 1
    const opened = await openSubscriber(narrowedOffer, network, stream, close).catch((error: unknown) => {
      close()
      throw error
    })
    subscriber = opened.subscriber
    if (isClosed || streams.get(streamKey(room, stream.stream)) !== stream || !canDecode(subscriber, stream)) {
      subscriber.close()
      throw new SfuError('notPublished', 'the stream ended in the meantime or changed its codec')
    }
    sessions.set(resource, { room, stream: name, participant, isSubscriber: true, close: subscriber.close })
    stream.subscribers.add(subscriber)
    return { resource, sdp: opened.sdp }
  }

  /** The stream itself, or its companion for a subscriber that has only the companion's codec. Throws OfferError. */
  function selectDecodableStream(main: Stream, offer: string): { stream: Stream; narrowedOffer: NarrowedOffer } {
    try {
      return { stream: main, narrowedOffer: narrowOffer(offer, main.codec, main.codec !== null) }
    } catch (error) {
      if (!(error instanceof OfferError) || error.fault !== 'unprocessable' || main.codec !== 'H264') throw error
      const narrowedOffer = narrowOffer(offer, 'VP8', true)
      const companion = streams.get(streamKey(main.room, companionStreamOf(main.stream)))
      if (companion?.publisher && companion.codec === 'VP8') return { stream: companion, narrowedOffer }
      onCodecMissing({ room: main.room, stream: main.stream })
      throw error
    }
  }

  const sessionsOf = (room: string, person: string): Session[] =>
    [...sessions.values()].filter((session) => session.room === room && session.participant === person)

  function startPublisher(stream: Stream, publisher: Publisher): void {
    const previousPublisher = stream.publisher
    clearTimeout(stream.absenceTimer)
    stream.publisher = publisher
    // A publisher without a camera does not change the codec: subscribers wait for its video.
    stream.codec = publisher.codec ?? stream.codec
    previousPublisher?.close()
    for (const subscriber of stream.subscribers) {
      if (canDecode(subscriber, publisher)) subscriber.switchPublisher()
      else subscriber.close()
    }
    publisher.onPacket((kind, packet) => {
      if (stream.publisher !== publisher || stream.subscribers.size === 0) return
      if (packet.length > MAX_PACKET_BYTES) return
      const copy = packetBuffer.subarray(0, packet.copy(packetBuffer))
      const header = readPacketHeader(packet)
      const now = Date.now()
      for (const subscriber of stream.subscribers) subscriber.send(kind, header, copy, now)
    })
    publisher.requestKeyframe()
    onStreamState({ room: stream.room, stream: stream.stream, isPublished: true, codec: stream.codec })
    for (const listener of publisherListeners) listener(stream.room, stream.stream, publisher)
  }

  function endPublisher(stream: Stream | undefined, publisher: Publisher): void {
    if (stream?.publisher !== publisher) return
    stream.publisher = null
    onStreamState({ room: stream.room, stream: stream.stream, isPublished: false, codec: stream.codec })
    stream.absenceTimer = setTimeout(() => removeStream(stream), PUBLISHER_ABSENCE_MS)
  }

  function removeStream(stream: Stream): void {
    clearTimeout(stream.absenceTimer)
    streams.delete(streamKey(stream.room, stream.stream))
    for (const subscriber of stream.subscribers) subscriber.close()
  }

  function findOrCreateStream(room: string, stream: string): Stream {
    const name = streamKey(room, stream)
    const existing = streams.get(name)
    if (existing) return existing
    const created: Stream = {
      room,
      stream,
      publisher: null,
      codec: null,
      subscribers: new Set(),
      absenceTimer: undefined,
    }
    streams.set(name, created)
    return created
  }

  const onPublisher: SubscribeToPublishers = (listener) => {
    publisherListeners.add(listener)
    for (const { room, stream, publisher } of streams.values()) if (publisher) listener(room, stream, publisher)
    return () => void publisherListeners.delete(listener)
  }

  return {
    publish,
    play,
    onPublisher,
    /** Closes a session; false when there is none with this id, or it belongs to another participant. */
    endSession(resource: string, participant: string | null): boolean {
      const session = sessions.get(resource)
      if (!session || (participant !== null && session.participant !== participant)) return false
      session.close()
      return true
    },
    /** Closes the sessions of a participant in a room, or those in the scope. Returns their number. */
    disconnect(
      room: string,
      participant: string,
      { isPublishingOnly = false, stream = null }: DisconnectScope = {},
    ): number {
      const participantSessions = sessionsOf(room, participant).filter(
        (session) =>
          !(isPublishingOnly && session.isSubscriber) && (stream === null || mainStreamOf(session.stream) === stream),
      )
      for (const session of participantSessions) session.close()
      return participantSessions.length
    },
    /** Closes all sessions of a room and removes its streams. Returns the number of sessions. */
    closeRoom(room: string): number {
      const roomSessions = [...sessions.values()].filter((session) => session.room === room)
      for (const session of roomSessions) session.close()
      for (const stream of streams.values()) if (stream.room === room) removeStream(stream)
      return roomSessions.length
    },
    status: () => ({ streams: [...streams.values()].map(streamStatus), subscriberCount }),
    close() {
      for (const stream of streams.values()) clearTimeout(stream.absenceTimer)
      for (const session of sessions.values()) session.close()
    },
  }
}

const streamKey = (room: string, stream: string): string => `${room}/${stream}`

/** The codec of a connection is fixed: a subscriber has to reconnect for another one. */
const canDecode = (subscriber: Subscriber, { codec }: Pick<Stream, 'codec'>): boolean =>
  subscriber.codec === null || codec === null || subscriber.codec === codec

function streamStatus({ room, stream, publisher, codec, subscribers }: Stream): StreamStatus {
  const counts = publisher?.packetCounts() ?? { packets: 0, recovered: 0, lost: 0 }
  return { room, stream, isPublished: publisher !== null, codec, subscriberCount: subscribers.size, ...counts }
}
