import type { Locale } from '#lib/core/shared/locale.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import type { OfferUndo } from '../UndoBar.tsx'
import type { VideoEditorView } from './use-video-editor.ts'

/** Props of the editor's tabs. */
export interface EditorProps {
  video: VideoEditorView
  /** Membership id: drafts are stored per member. */
  owner: string
  locale: Locale
  offerUndo: OfferUndo
  t: Translate
}
