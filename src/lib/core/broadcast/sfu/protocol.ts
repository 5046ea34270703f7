import type { TapNews, TapOrder } from '../tap/tapped.ts'

/* What the process of the product and its media plane say to each other, over the channel of a forked process. */

export interface Settings {
  /** The one UDP port. */
  port: number
  bind: string | null
  hosts: readonly string[]
  /** Streams played at once, at most. */
  viewers: number
}

/** Who wants to publish or play which stream. */
export interface Wish {
  room: string
  stream: string
  person: string
  sdp: string
}

export type Asked =
  | { op: 'settings'; settings: Settings }
  | ({ op: 'publish' } & Wish)
  | ({ op: 'play' } & Wish)
  | { op: 'end'; resource: string; person: string | null }
  | { op: 'expel'; room: string; person: string; publishing: boolean; stream: string | null }
  | { op: 'clear'; room: string }
  | { op: 'status' }
  | { op: 'tap'; order: TapOrder }

/** `full`: as many viewers as may be. `absent`: nobody publishes this. `invalid`, `unfit`: see BadOffer. */
export type Fault = 'invalid' | 'unfit' | 'absent' | 'full' | 'failed'

export interface Opened {
  resource: string
  sdp: string
}

export interface StreamStatus {
  room: string
  stream: string
  /** False while its publisher is momentarily away. */
  up: boolean
  codec: string | null
  viewers: number
  /** From the publisher: packets that came, that came at the second asking, that never came. */
  packets: number
  recovered: number
  lost: number
}

export interface Status {
  streams: StreamStatus[]
  viewers: number
  publishers: number
  /** Of one core, since the last status, 0 to 1 and more. */
  cpu: number
  /** Bytes. */
  memory: number
}

/** Answers by what was asked. */
export interface Answers {
  settings: { hosts: readonly string[] }
  publish: Opened
  play: Opened
  end: { ended: boolean }
  expel: { ended: number }
  clear: { ended: number }
  status: Status
  tap: Record<string, unknown>
}

/** A stream that comes up, again by another publisher or for the first time, or goes down. */
export interface StreamTold {
  room: string
  stream: string
  up: boolean
  /** Of the picture: who plays it in another codec has to play anew. */
  codec: string | null
}

export type StreamName = Pick<StreamTold, 'room' | 'stream'>

export type Told =
  | { answer: number; value: Answers[keyof Answers] }
  | { answer: number; fault: Fault; words: string }
  | { stream: StreamTold }
  | { codecMissing: StreamName }
  | { news: TapNews }
  | { note: string }

export interface Question {
  question: number
  asked: Asked
}
