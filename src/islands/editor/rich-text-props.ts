import type { LessonDoc } from '#lib/core/shared/lesson-doc.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'

export interface RichTextProps {
  value: LessonDoc
  onChange: (doc: LessonDoc) => void
  label: string
  /** Its words are all of `editor:`, and `shell:button.`. */
  t: Translate
  /** Pictures and files of the school's storage may be put in. */
  files?: boolean
  /** Videos and sounds may be put in. */
  media?: boolean
  onBlur?: () => void
  disabled?: boolean
  hint?: string
}
