import type { LessonDoc } from '#lib/core/shared/lesson-doc.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'

export interface RichTextProps {
  value: LessonDoc
  onChange: (doc: LessonDoc) => void
  label: string
  /** Contains all keys of `editor:` and `shell:button.`. */
  t: Translate
  /** Images and files of the school's storage can be inserted. */
  files?: boolean
  /** Videos and audio files can be inserted. */
  media?: boolean
  onBlur?: () => void
  disabled?: boolean
  hint?: string
}
