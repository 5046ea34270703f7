/*
 * What stands between the media plane and its taps: recording and HLS listen to publishers through this and nothing
 * else. All of it lives in the child process.
 */

export type Kind = 'audio' | 'video'
export type VideoCodec = 'H264' | 'VP8'

/** One publisher of one stream, from its first packet until it goes; whoever publishes again is a new one. */
export interface Tapped {
  /** Null for a publisher of sound alone. Sound is always Opus, 48 kHz, two channels. */
  readonly codec: VideoCodec | null
  readonly kinds: readonly Kind[]
  /**
   * RTP packets as they come, without header extensions, with the publisher's own payload type, ssrc and numbers; a
   * packet that was lost and sent again comes late. The bytes belong to others too: copy before changing. Gives the way
   * to stop listening.
   */
  onPacket(listener: (kind: Kind, packet: Buffer) => void): () => void
  onEnd(listener: () => void): () => void
  /** The RTP time of a moment (ms since 1970) by the publisher's own clock; null until it has told it. */
  timeAt?(kind: Kind, now: number): number | null
  /** Asks for a whole picture; asked for more often than every 300 ms, it comes once. */
  requestKeyframe(): void
}

/** Tells of each publisher that begins, and at once of those that are there. Gives the way to stop listening. */
export type OnPublisher = (listener: (room: string, stream: string, tapped: Tapped) => void) => () => void

/** What the parent wants of the taps. A null stream means every stream of the room. Directories are absolute. */
export type TapOrder =
  | { op: 'record'; room: string; stream: string | null; directory: string; since: number }
  | { op: 'recordEnd'; room: string; stream: string | null }
  | { op: 'hls'; room: string; stream: string; directory: string }
  | { op: 'hlsEnd'; room: string; stream: string }

/** What a tap tells the parent of its own accord: plain data. */
export interface TapNews {
  tap: 'record' | 'hls'
  room: string
  stream: string
  what: string
  [detail: string]: unknown
}

export interface Taps {
  /** Does what the parent wants; its answer is plain data. Orders are repeated after a restart of the child. */
  obey(order: TapOrder): Promise<Record<string, unknown>>
  /** Ends every tap so that its files are whole. */
  close(): Promise<void>
}
