import ndc, { type Track } from 'node-datachannel'
import type { MediaKind, PacketSource } from '../frames/packet-source.ts'
import { createNackGenerator, NACK_INTERVAL_MS } from './nack-generator.ts'
import { type NetworkOptions, openPeer, SILENCE_TIMEOUT_MS } from './peer.ts'
import { createPacketSorter, reduceToFirstSection } from './publisher-bundle.ts'
import { createReceptionStatistics, type ReceptionStatistics } from './reception-statistics.ts'
import {
  createNack,
  createPli,
  createReceiverReport,
  createRemb,
  isRtcp,
  RTP_HEADER_BYTES,
  readRtcpPackets,
  readSenderReport,
  removeHeaderExtension,
  type SenderClock,
  sequenceOf,
  ssrcOf,
} from './rtp.ts'
import { type MediaSection, makeReceiveOnly, type NarrowedOffer, replaceHostCandidates } from './sdp.ts'

/** Packets of each track that are retained for retransmission to subscribers. */
const RETAINED_PACKETS = 512
/** Bitrate that REMB allows a publisher; without it Chromium stays at 300 kbit/s. */
const MAX_BITRATE_BPS = 3_000_000
const KEYFRAME_REQUEST_INTERVAL_MS = 300
const CLOCK_RATES = { audio: 48_000, video: 90_000 } as const
/** Sender SSRC of the RTCP that the SFU sends to publishers; it sends them no media. */
const LOCAL_SSRC = 1

export interface Publisher extends PacketSource {
  /** The packet with this sequence number, while it is retained. */
  findPacket(kind: MediaKind, sequence: number): Buffer | null
  /** The RTP timestamp at `now` (ms since 1970) by the publisher's clock; null before its first sender report. */
  rtpTimeAt(kind: MediaKind, now: number): number | null
  packetCounts(): { packets: number; lost: number; recovered: number }
  close(): void
}

/** Answers the offer of a publisher and receives its tracks. Throws when no connection can be made. */
export async function openPublisher(offer: NarrowedOffer, network: NetworkOptions, onClose: () => void) {
  const packetListeners = new Set<(kind: MediaKind, packet: Buffer) => void>()
  const closeListeners = new Set<() => void>()
  const sources: Source[] = []
  let clockOffsetMs: number | null = null
  let keyframeRequestedAt = 0
  let keyframeTimer: NodeJS.Timeout | undefined

  const peer = openPeer('publisher', network, () => {
    clearInterval(nackTimer)
    clearInterval(reportTimer)
    clearTimeout(keyframeTimer)
    onClose()
    for (const listener of closeListeners) listener()
  })
  const nackTimer = setInterval(() => sources.forEach(retryNacks), NACK_INTERVAL_MS)
  let lastPacketAt: number | null = null
  const reportTimer = setInterval(() => {
    sources.forEach(sendReports)
    if (lastPacketAt !== null && Date.now() - lastPacketAt > SILENCE_TIMEOUT_MS) peer.close()
  }, 1000)

  const kindOf = createPacketSorter(offer)
  const bundle = reduceToFirstSection(offer)
  const sections = [offer.audio, offer.video].filter((section) => section !== null)
  const firstSection = sections.find(({ mid }) => bundle.sdp.includes(`\r\na=mid:${mid}\r\n`))
  if (!firstSection) throw new Error('an offer has no section')
  const track = peer.connection.addTrack(createTrackDescription(firstSection, 'SendRecv'))
  sources.push(...sections.map((section) => createSource(track, section)))
  track.onMessage(receivePacket)

  function receivePacket(packet: Buffer): void {
    lastPacketAt = Date.now()
    if (isRtcp(packet)) {
      receiveRtcp(packet)
      return
    }
    if (packet.length < RTP_HEADER_BYTES) return
    const kind = kindOf(packet)
    const source = sources.find((candidate) => candidate.kind === kind)
    if (source) storePacket(source, packet, lastPacketAt)
  }

  function storePacket(source: Source, packet: Buffer, now: number): void {
    const { kind, retained, nacks, statistics } = source
    const rtpPacket = removeHeaderExtension(packet)
    const sequence = sequenceOf(rtpPacket)
    // An encoder that is restarted may continue with another SSRC.
    source.ssrc = ssrcOf(rtpPacket)
    statistics.recordPacket(rtpPacket, now)
    if (nacks) {
      const { missing } = nacks.recordPacket(sequence)
      if (missing.length > 0) sendRtcp(source, createNack(LOCAL_SSRC, source.ssrc, missing))
    }
    retained[sequence % RETAINED_PACKETS] = rtpPacket
    for (const listener of packetListeners) listener(kind, rtpPacket)
  }

  function receiveRtcp(packet: Buffer): void {
    for (const rtcpPacket of readRtcpPackets(packet)) {
      const clock = readSenderReport(rtcpPacket)
      const source = clock && sources.find(({ ssrc }) => ssrc === clock.ssrc)
      if (!source) continue
      // The publisher's clock may be wrong by hours; only audio and video have to be consistent with each other.
      clockOffsetMs ??= Date.now() - clock.ntpMs
      source.senderClock = clock
      source.statistics.recordSenderReport(clock, Date.now())
    }
  }

  function retryNacks(source: Source): void {
    if (!source.nacks || source.ssrc === null) return
    const { sequences, hasGivenUp } = source.nacks.collectRetries()
    if (sequences.length > 0) sendRtcp(source, createNack(LOCAL_SSRC, source.ssrc, sequences))
    if (hasGivenUp) requestKeyframe()
  }

  function sendReports(source: Source): void {
    if (source.ssrc === null) return
    sendRtcp(source, createReceiverReport(LOCAL_SSRC, source.ssrc, source.statistics.createReportBlock(Date.now())))
    if (source.kind === 'video') sendRtcp(source, createRemb(LOCAL_SSRC, source.ssrc, MAX_BITRATE_BPS))
  }

  // Many subscribers may join at once: one keyframe serves all requests since the last one.
  function requestKeyframe(): void {
    if (keyframeTimer) return
    keyframeTimer = setTimeout(
      sendKeyframeRequest,
      Math.max(0, keyframeRequestedAt + KEYFRAME_REQUEST_INTERVAL_MS - Date.now()),
    )
  }

  function sendKeyframeRequest(): void {
    const videoSource = sources.find(({ kind }) => kind === 'video')
    // The SSRC to request it from is unknown before the first packet.
    keyframeTimer =
      videoSource && videoSource.ssrc === null ? setTimeout(sendKeyframeRequest, NACK_INTERVAL_MS) : undefined
    if (videoSource?.ssrc == null) return
    keyframeRequestedAt = Date.now()
    sendRtcp(videoSource, createPli(LOCAL_SSRC, videoSource.ssrc))
  }

  const publisher: Publisher = {
    codec: offer.video?.codec ?? null,
    kinds: sources.map(({ kind }) => kind),
    onPacket: (listener) => addListener(packetListeners, listener),
    onEnd: (listener) => addListener(closeListeners, listener),
    requestKeyframe,
    findPacket(kind, sequence) {
      const packet = sources.find((source) => source.kind === kind)?.retained[sequence % RETAINED_PACKETS]
      return packet && sequenceOf(packet) === sequence ? packet : null
    },
    rtpTimeAt(kind, now) {
      const clock = sources.find((source) => source.kind === kind)?.senderClock
      if (!clock || clockOffsetMs === null) return null
      const elapsedMs = now - clockOffsetMs - clock.ntpMs
      return (clock.rtpTime + Math.round((elapsedMs * CLOCK_RATES[kind]) / 1000)) >>> 0
    },
    packetCounts() {
      const sumOf = (countOf: (source: Source) => number) => sources.reduce((sum, source) => sum + countOf(source), 0)
      return {
        packets: sumOf(({ statistics }) => statistics.packets),
        lost: sumOf(({ nacks }) => nacks?.lost ?? 0),
        recovered: sumOf(({ nacks }) => nacks?.recovered ?? 0),
      }
    },
    close: peer.close,
  }
  try {
    const answer = bundle.completeAnswer(await peer.answerOffer(bundle.sdp))
    return { publisher, sdp: replaceHostCandidates(makeReceiveOnly(answer), network.hosts) }
  } catch (error) {
    peer.close()
    throw error
  }
}

/** The track description of libdatachannel for a section with its one codec. */
export function createTrackDescription(
  { kind, mid, payloadType, codec, formatParameters }: MediaSection,
  direction: 'SendRecv' | 'SendOnly',
) {
  const parameters = formatParameters === undefined ? [] : [formatParameters]
  if (kind === 'audio') {
    const audio = new ndc.Audio(mid, direction)
    audio.addOpusCodec(payloadType, ...parameters)
    return audio
  }
  const video = new ndc.Video(mid, direction)
  if (codec === 'H264') video.addH264Codec(payloadType, ...parameters)
  else video.addVP8Codec(payloadType)
  return video
}

interface Source {
  kind: MediaKind
  track: Track
  /** The publisher's SSRC; null before its first packet. */
  ssrc: number | null
  senderClock: SenderClock | null
  retained: Buffer[]
  /** Null for audio: Opus conceals losses, and retransmitted audio arrives too late to be played. */
  nacks: ReturnType<typeof createNackGenerator> | null
  statistics: ReceptionStatistics
}

const createSource = (track: Track, { kind }: MediaSection): Source => ({
  kind,
  track,
  ssrc: null,
  senderClock: null,
  retained: new Array<Buffer>(RETAINED_PACKETS),
  nacks: kind === 'video' ? createNackGenerator() : null,
  statistics: createReceptionStatistics(CLOCK_RATES[kind]),
})

function sendRtcp({ track }: Source, packet: Buffer): void {
  try {
    if (track.isOpen()) track.sendMessageBinary(packet)
  } catch {
    // The track closed in the meantime; the connection reports it.
  }
}

function addListener<Listener>(listeners: Set<Listener>, listener: Listener): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
