import ndc, { type Track } from 'node-datachannel'
import type { Kind, Tapped } from '../tap/tapped.ts'
import { TURN, trackMissing } from './missing-packets.ts'
import { type Net, openPeer, SILENCE } from './peer.ts'
import { type Reception, receive } from './reception.ts'
import {
  type Clock,
  clockOf,
  controlsOf,
  estimate,
  isRtcp,
  nack,
  pictureLoss,
  receiverReport,
  SHORTEST,
  sequenceOf,
  sourceOf,
  withoutExtension,
} from './rtp.ts'
import { advertise, type Kept, receivingOnly, type Section } from './sdp.ts'

/** Packets of each kind that viewers can ask for again. */
const RING = 512
/** What a publisher is told to send at most; without it Chromium stays at 300 kbit/s. */
const BITS_PER_SECOND = 3_000_000
const BETWEEN_KEYFRAMES = 300
const CLOCK_RATES = { audio: 48_000, video: 90_000 } as const
/** Our own source in RTCP: nothing is ever sent to a publisher. */
const US = 1

export interface Publisher extends Tapped {
  /** The packet that has this number, while it is remembered. */
  remembered(kind: Kind, sequence: number): Buffer | null
  /** The RTP time of a moment (ms since 1970) by the publisher's own clock; null until it has told it. */
  timeAt(kind: Kind, now: number): number | null
  counts(): { packets: number; lost: number; recovered: number }
  end(): void
}

/** Takes what one browser publishes. Throws when the offer makes no connection. */
export async function openPublisher(kept: Kept, net: Net, onGone: () => void) {
  const listeners = new Set<(kind: Kind, packet: Buffer) => void>()
  const enders = new Set<() => void>()
  const sources: Source[] = []
  let offset: number | null = null
  let askedAt = 0
  let asking: NodeJS.Timeout | undefined

  const peer = openPeer('publisher', net, () => {
    clearInterval(turns)
    clearInterval(seconds)
    clearTimeout(asking)
    onGone()
    for (const ender of enders) ender()
  })
  const turns = setInterval(() => sources.forEach(seekAgain), TURN)
  let heardAt: number | null = null
  const seconds = setInterval(() => {
    sources.forEach(report)
    if (heardAt !== null && Date.now() - heardAt > SILENCE) peer.end()
  }, 1000)

  for (const section of [kept.audio, kept.video]) {
    if (section) sources.push(sourceFor(peer.connection.addTrack(descriptionOf(section, 'SendRecv')), section.kind))
  }
  for (const source of sources) source.track.onMessage((packet) => take(source, packet))

  function take(source: Source, packet: Buffer): void {
    heardAt = Date.now()
    if (isRtcp(packet)) heed(source, packet)
    else if (packet.length >= SHORTEST) keep(source, packet, heardAt)
  }

  function keep(source: Source, packet: Buffer, now: number): void {
    const { kind, ring, missing, reception } = source
    const bare = withoutExtension(packet)
    const sequence = sequenceOf(bare)
    source.id ??= sourceOf(bare)
    reception.note(bare, now)
    if (missing) {
      const { gone } = missing.note(sequence)
      if (gone.length > 0) send(source, nack(US, source.id, gone))
    }
    ring[sequence % RING] = bare
    for (const listener of listeners) listener(kind, bare)
  }

  function heed(source: Source, packet: Buffer): void {
    for (const control of controlsOf(packet)) {
      const clock = clockOf(control)
      if (!clock) continue
      // The publisher's clock may be wrong by hours; sound and picture only have to agree with each other.
      offset ??= Date.now() - clock.milliseconds
      source.clock = clock
      source.reception.clocked(clock, Date.now())
    }
  }

  function seekAgain(source: Source): void {
    if (!source.missing || source.id === null) return
    const { again, givenUp } = source.missing.turn()
    if (again.length > 0) send(source, nack(US, source.id, again))
    if (givenUp) requestKeyframe()
  }

  function report(source: Source): void {
    if (source.id === null) return
    send(source, receiverReport(US, source.id, source.reception.report(Date.now())))
    if (source.kind === 'video') send(source, estimate(US, source.id, BITS_PER_SECOND))
  }

  // Many viewers come at once: one picture serves all who asked since the last.
  function requestKeyframe(): void {
    if (asking) return
    asking = setTimeout(ask, Math.max(0, askedAt + BETWEEN_KEYFRAMES - Date.now()))
  }

  function ask(): void {
    const picture = sources.find(({ kind }) => kind === 'video')
    // Before its first packet nobody knows by which name to ask.
    asking = picture && picture.id === null ? setTimeout(ask, TURN) : undefined
    if (picture?.id == null) return
    askedAt = Date.now()
    send(picture, pictureLoss(US, picture.id))
  }

  const publisher: Publisher = {
    codec: kept.video?.codec ?? null,
    kinds: sources.map(({ kind }) => kind),
    onPacket: (listener) => listening(listeners, listener),
    onEnd: (listener) => listening(enders, listener),
    requestKeyframe,
    remembered(kind, sequence) {
      const packet = sources.find((source) => source.kind === kind)?.ring[sequence % RING]
      return packet && sequenceOf(packet) === sequence ? packet : null
    },
    timeAt(kind, now) {
      const clock = sources.find((source) => source.kind === kind)?.clock
      if (!clock || offset === null) return null
      const passed = now - offset - clock.milliseconds
      return (clock.time + Math.round((passed * CLOCK_RATES[kind]) / 1000)) >>> 0
    },
    counts() {
      const of = (pick: (source: Source) => number) => sources.reduce((sum, source) => sum + pick(source), 0)
      return {
        packets: of(({ reception }) => reception.packets),
        lost: of(({ missing }) => missing?.lost ?? 0),
        recovered: of(({ missing }) => missing?.recovered ?? 0),
      }
    },
    end: peer.end,
  }
  try {
    return { publisher, sdp: advertise(receivingOnly(await peer.answer(kept.sdp)), net.hosts) }
  } catch (error) {
    peer.end()
    throw error
  }
}

/** libdatachannel's description of a section with its one codec. */
export function descriptionOf({ kind, mid, payload, codec, format }: Section, direction: 'SendRecv' | 'SendOnly') {
  const parameters = format === undefined ? [] : [format]
  if (kind === 'audio') {
    const audio = new ndc.Audio(mid, direction)
    audio.addOpusCodec(payload, ...parameters)
    return audio
  }
  const video = new ndc.Video(mid, direction)
  if (codec === 'H264') video.addH264Codec(payload, ...parameters)
  else video.addVP8Codec(payload)
  return video
}

interface Source {
  kind: Kind
  track: Track
  /** The publisher's ssrc, from its first packet. */
  id: number | null
  clock: Clock | null
  ring: Buffer[]
  /** Sound is not asked for again: Opus mends itself, and late sound is no sound. */
  missing: ReturnType<typeof trackMissing> | null
  reception: Reception
}

const sourceFor = (track: Track, kind: Kind): Source => ({
  kind,
  track,
  id: null,
  clock: null,
  ring: new Array<Buffer>(RING),
  missing: kind === 'video' ? trackMissing() : null,
  reception: receive(CLOCK_RATES[kind]),
})

function send({ track }: Source, packet: Buffer): void {
  try {
    if (track.isOpen()) track.sendMessageBinary(packet)
  } catch {
    // A track that closed meanwhile: its end is told by the connection.
  }
}

function listening<Listener>(all: Set<Listener>, listener: Listener): () => void {
  all.add(listener)
  return () => void all.delete(listener)
}
