import type { Locale } from '#lib/core/shared/locale.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import type { Recorded } from './recording-state.ts'
import type { useRecording } from './use-recording.ts'

/** What every part of the recorder gets. */
export interface RecordingProps {
  recording: ReturnType<typeof useRecording>
  /** Bytes of one file. */
  maxBytes: number
  /** No further file fits into the answer. */
  isFull: boolean
  onUse: (recorded: Recorded) => void
  t: Translate
  locale: Locale
}
