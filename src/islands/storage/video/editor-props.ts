import type { Locale } from '#lib/core/shared/locale.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import type { Offer } from '../UndoBar.tsx'
import type { DeskView } from './use-video-editor.ts'

/** What each part of the desk is given. */
export interface DeskParts {
  desk: DeskView
  /** The membership's id: drafts are kept by person. */
  owner: string
  locale: Locale
  offer: Offer
  t: Translate
}
