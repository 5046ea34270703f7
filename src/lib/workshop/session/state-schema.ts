import type { PresentationMode } from '#lib/core/shared/event/live-event.ts'
import type {
  ButtonContent,
  ChatSettings,
  EventAuthor,
  HandoutContent,
  LiveStream,
  PollContent,
} from './event-schema.ts'

/** State of a room: everything that a late participant needs, and nothing about single viewers. */
export interface RoomState {
  phase: 'waiting' | 'live' | 'finished'
  /** Milliseconds since 1970. */
  startedAt: number | null
  finishedAt: number | null
  mode: PresentationMode
  slide: { fileId: string | null; page: number }
  buttons: { buttonId: string; content: ButtonContent; shownAt: number }[]
  handouts: { handoutId: string; content: HandoutContent }[]
  poll: {
    pollId: string
    content: PollContent
    openedAt: number
    closed: boolean
    tally: number[]
    voters: number
  } | null
  pinned: { messageId: string; text: string; author: EventAuthor | null }[]
  /** The question that is being answered aloud. */
  answering: string | null
  chat: ChatSettings
  onAir: LiveStream[]
  /** Time since which the host is absent; null while present. */
  hostLostAt: number | null
  /** Since when there is no disk space for the recording; absent in older states. */
  recordingStoppedAt?: number | null
}
