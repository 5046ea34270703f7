import type { Locale } from '#lib/core/shared/locale.ts'
import type { Strings } from '#lib/core/shared/text/strings.ts'
import type { RoomView } from '#lib/meeting/room-schema.ts'

/** Props of the room island and its parts. */
export interface RoomProps {
  view: RoomView
  strings: Strings
  locale: Locale
}
