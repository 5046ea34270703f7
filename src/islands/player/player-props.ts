import type { Locale } from '#lib/core/shared/locale.ts'
import type { Strings } from '#lib/core/shared/text/strings.ts'
import type { PlaybackView } from '#lib/storage/schema.ts'

export interface PlayerProps {
  view: PlaybackView
  /** The namespace `player`. */
  strings: Strings
  locale: Locale
  /** When the view was made, in milliseconds since 1970; now, unless it came with the page. */
  viewCreatedAtMs?: number
  /** What was not seen yet can't be jumped to. */
  straight?: boolean
  /** Plays as soon as it can. */
  autoPlay?: boolean
}
