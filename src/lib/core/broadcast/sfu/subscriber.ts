import { randomInt } from 'node:crypto'
import type { Track } from 'node-datachannel'
import type { MediaKind, VideoCodec } from '../frames/packet-source.ts'
import { type NetworkOptions, openPeer, SILENCE_TIMEOUT_MS } from './peer.ts'
import { createTrackDescription, type Publisher } from './publisher.ts'
import { createSenderReport, isKeyframeRequest, isRtcp, nackedSequences, readRtcpPackets } from './rtp.ts'
import { type NarrowedOffer, replaceHostCandidates } from './sdp.ts'
import {
  createRewriter,
  originalSequence,
  type PacketHeader,
  type RewriterState,
  readPacketHeader,
  rewriteHeader,
} from './stream-rewriter.ts'

/** The stream that a subscriber plays; its publisher may change. */
export interface SubscribedStream {
  readonly publisher: Publisher | null
}

export interface Subscriber {
  /** Codec of the video; null for a subscriber of audio only. */
  readonly codec: VideoCodec | null
  /** Forwards a packet. `copy` holds its bytes; its header is overwritten. */
  send(kind: MediaKind, header: PacketHeader, copy: Buffer, now: number): void
  /** Another publisher takes over: sequence numbers and timestamps continue without a gap. */
  switchPublisher(): void
  readonly sentPackets: number
  close(): void
}

interface OutboundTrack {
  kind: MediaKind
  track: Track
  rewriter: RewriterState
  isOpen: boolean
  /** The subscriber has sent its first receiver report. */
  hasReported: boolean
}

/** Answers the offer of a subscriber and forwards the stream to it. Throws when no connection can be made. */
export async function openSubscriber(
  offer: NarrowedOffer,
  network: NetworkOptions,
  stream: SubscribedStream,
  onClose: () => void,
) {
  const tracks: Partial<Record<MediaKind, OutboundTrack>> = {}
  const peer = openPeer('subscriber', network, () => {
    clearInterval(reportTimer)
    onClose()
  })
  let lastReportAt: number | null = null
  const reportTimer = setInterval(() => {
    const now = Date.now()
    const allTracks = Object.values(tracks)
    for (const track of allTracks) sendSenderReport(track, stream, now)
    // Browsers answer the sender reports of every second, but only after they have received a packet.
    if (allTracks.every(({ rewriter }) => rewriter.newest === null)) lastReportAt = null
    else lastReportAt ??= now
    if (lastReportAt !== null && now - lastReportAt > SILENCE_TIMEOUT_MS) peer.close()
  }, 1000)

  for (const section of [offer.audio, offer.video]) {
    if (!section) continue
    const { kind } = section
    const description = createTrackDescription(section, 'SendOnly')
    const rewriter = createRewriter(randomInt(1, 2 ** 32), section.payloadType, kind === 'audio' ? 48_000 : 90_000)
    // The same CNAME for both tracks, so that the browser synchronizes them.
    description.addSSRC(rewriter.ssrc, 'broadcast', 'broadcast', kind)
    const track: OutboundTrack = {
      kind,
      track: peer.connection.addTrack(description),
      rewriter,
      isOpen: false,
      hasReported: false,
    }
    tracks[kind] = track
    track.track.onOpen(() => {
      track.isOpen = true
      if (kind === 'video') stream.publisher?.requestKeyframe()
    })
    track.track.onMessage((packet) => receiveRtcp(track, packet))
  }

  function receiveRtcp(track: OutboundTrack, packet: Buffer): void {
    if (!isRtcp(packet)) return
    // Some clients drop packets before they are ready and never request a keyframe; the first report shows readiness.
    if (!track.hasReported) stream.publisher?.requestKeyframe()
    track.hasReported = true
    lastReportAt = Date.now()
    for (const rtcpPacket of readRtcpPackets(packet)) {
      if (isKeyframeRequest(rtcpPacket)) stream.publisher?.requestKeyframe()
      for (const sequence of nackedSequences(rtcpPacket)) resend(track, sequence)
    }
  }

  function resend(track: OutboundTrack, sequence: number): void {
    if (track.rewriter.needsRebase) return
    const packet = stream.publisher?.findPacket(track.kind, originalSequence(track.rewriter, sequence))
    if (packet) sendPacket(track, readPacketHeader(packet), Buffer.from(packet), Date.now())
  }

  const subscriber: Subscriber = {
    codec: offer.video?.codec ?? null,
    send(kind, header, copy, now) {
      const track = tracks[kind]
      if (track?.isOpen) sendPacket(track, header, copy, now)
    },
    switchPublisher() {
      for (const track of Object.values(tracks)) track.rewriter.needsRebase = true
    },
    get sentPackets() {
      return Object.values(tracks).reduce((sum, { rewriter }) => sum + rewriter.packets, 0)
    },
    close: peer.close,
  }
  try {
    return { subscriber, sdp: replaceHostCandidates(await peer.answerOffer(offer.sdp), network.hosts) }
  } catch (error) {
    peer.close()
    throw error
  }
}

// Sending on a track that closed in the meantime throws; the connection reports the end.
function sendPacket(track: OutboundTrack, header: PacketHeader, copy: Buffer, now: number): void {
  rewriteHeader(track.rewriter, header, copy, now)
  try {
    track.track.sendMessageBinary(copy)
  } catch {
    track.isOpen = false
  }
}

// Before the publisher's first sender report the time is extrapolated from the newest packet.
function sendSenderReport(
  { kind, track, rewriter, isOpen }: OutboundTrack,
  { publisher }: SubscribedStream,
  now: number,
): void {
  if (!isOpen || rewriter.newest === null || rewriter.needsRebase) return
  const reportedTime = publisher?.rtpTimeAt(kind, now)
  const estimatedTime =
    rewriter.newest.timestamp + Math.round(((now - rewriter.newest.sentAt) * rewriter.clockRate) / 1000)
  const rtpTime = reportedTime == null ? estimatedTime : reportedTime + rewriter.offset.timestamp
  try {
    track.sendMessageBinary(createSenderReport(rewriter.ssrc, now, rtpTime, rewriter))
  } catch {
    // The track closed in the meantime; the connection reports it.
  }
}
