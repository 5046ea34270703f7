import type { OutputCommand, OutputEvent } from '../output-protocol.ts'

/* Messages between the server process and its media process, over the IPC channel of a forked process. */

export interface SfuSettings {
  /** UDP port that all connections share. */
  port: number
  bind: string | null
  hosts: readonly string[]
  /** Maximum number of subscribers. */
  viewers: number
}

/** The SDP offer of a participant that publishes or plays a stream. */
export interface StreamOffer {
  room: string
  stream: string
  participant: string
  sdp: string
}

export type SfuRequest =
  | { op: 'settings'; settings: SfuSettings }
  | ({ op: 'publish' } & StreamOffer)
  | ({ op: 'play' } & StreamOffer)
  | { op: 'endSession'; resource: string; participant: string | null }
  | { op: 'disconnect'; room: string; participant: string; isPublishingOnly: boolean; stream: string | null }
  | { op: 'closeRoom'; room: string }
  | { op: 'status' }
  | { op: 'output'; command: OutputCommand }

/** `full`: the maximum of subscribers is reached. `notPublished`: no publisher. `invalid`, `unprocessable`: see OfferError. */
export type SfuFault = 'invalid' | 'unprocessable' | 'notPublished' | 'full' | 'failed'

export interface OpenedSession {
  resource: string
  sdp: string
}

export interface StreamStatus {
  room: string
  stream: string
  /** False while subscribers wait for the publisher to return. */
  isPublished: boolean
  codec: string | null
  subscriberCount: number
  /** Packets received from the publisher, received after a NACK, and lost. */
  packets: number
  recovered: number
  lost: number
}

export interface SfuStatus {
  streams: StreamStatus[]
  subscriberCount: number
  publisherCount: number
  /** Share of one core since the last status: 1 is one full core. */
  cpuShare: number
  memoryBytes: number
}

/** Responses by the `op` of the request. */
export interface SfuResponses {
  settings: { hosts: readonly string[] }
  publish: OpenedSession
  play: OpenedSession
  endSession: { ended: boolean }
  disconnect: { ended: number }
  closeRoom: { ended: number }
  status: SfuStatus
  output: Record<string, unknown>
}

/** Sent when a publisher starts, takes over or ends a stream. */
export interface StreamState {
  room: string
  stream: string
  isPublished: boolean
  /** Codec of the video. Subscribers with another codec have to reconnect. */
  codec: string | null
}

export type StreamId = Pick<StreamState, 'room' | 'stream'>

export type SfuMessage =
  | { requestId: number; value: SfuResponses[keyof SfuResponses] }
  | { requestId: number; fault: SfuFault; message: string }
  | { stream: StreamState }
  | { codecMissing: StreamId }
  | { outputEvent: OutputEvent }
  | { warning: string }

export interface SfuRequestMessage {
  requestId: number
  request: SfuRequest
}
