import type { Locale } from '#lib/core/shared/locale.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import type { OfferUndo } from '../UndoBar.tsx'
import type { VideoEditorView } from './use-video-editor.ts'

/** What each part of the desk is given. */
export interface EditorProps {
  video: VideoEditorView
  /** The membership's id: drafts are kept by person. */
  owner: string
  locale: Locale
  offerUndo: OfferUndo
  t: Translate
}
