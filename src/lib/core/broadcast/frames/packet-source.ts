/* What recording and HLS read from a publisher. They run in the media process and depend on nothing else of the SFU. */

export type MediaKind = 'audio' | 'video'
export type VideoCodec = 'H264' | 'VP8'

/** One publisher of a stream, from its first packet to its end. A publisher that reconnects is a new source. */
export interface PacketSource {
  /** Null for a publisher of audio only. Audio is always Opus, 48 kHz, two channels. */
  readonly codec: VideoCodec | null
  readonly kinds: readonly MediaKind[]
  /**
   * RTP packets in the order of arrival, without header extensions, with the publisher's payload type, SSRC and sequence
   * numbers; a retransmitted packet arrives late. The buffer is shared: copy it before changing it. Returns a function
   * that removes the listener.
   */
  onPacket(listener: (kind: MediaKind, packet: Buffer) => void): () => void
  onEnd(listener: () => void): () => void
  /** The RTP timestamp at `now` (ms since 1970) by the publisher's clock; null before its first sender report. */
  rtpTimeAt?(kind: MediaKind, now: number): number | null
  /** Requests a keyframe, at most one every 300 ms. */
  requestKeyframe(): void
}

/** Calls the listener for each current and future publisher. Returns a function that removes the listener. */
export type SubscribeToPublishers = (
  listener: (room: string, stream: string, source: PacketSource) => void,
) => () => void
