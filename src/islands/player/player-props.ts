import type { Locale } from '#lib/core/shared/locale.ts'
import type { Strings } from '#lib/core/shared/text/strings.ts'
import type { PlaybackView } from '#lib/storage/schema.ts'

export interface PlayerProps {
  view: PlaybackView
  /** The namespace `player`. */
  strings: Strings
  locale: Locale
  /** When the view was created, in milliseconds since 1970; the current time by default. */
  viewCreatedAtMs?: number
  /** Positions that were not watched yet cannot be reached by seeking. */
  straight?: boolean
  /** Plays as soon as possible. */
  autoPlay?: boolean
}
