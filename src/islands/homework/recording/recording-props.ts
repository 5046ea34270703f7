import type { Locale } from '#lib/core/shared/locale.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import type { Recorded } from './recording-state.ts'
import type { useRecording } from './use-recording.ts'

/** Props of the recorder's parts. */
export interface RecordingProps {
  recording: ReturnType<typeof useRecording>
  /** Bytes of one file. */
  maxBytes: number
  /** The answer has the maximum number of files. */
  isFull: boolean
  onUse: (recorded: Recorded) => void
  t: Translate
  locale: Locale
}
