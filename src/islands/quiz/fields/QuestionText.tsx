import { useId } from 'react'
import { RichText } from '#islands/editor/RichText.tsx'
import type { LessonDoc } from '#lib/core/shared/lesson-doc.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'

interface Props {
  label: string
  hint?: string
  error?: string | undefined
  value: LessonDoc
  /** Shows the toolbar only while the text has the focus. */
  compact?: boolean
  onChange: (doc: LessonDoc) => void
  t: Translate
}

/** Formatted text of a question, with formulas, images, audio and video. */
export function QuestionText({ error, compact = false, hint, ...field }: Props) {
  const errorId = useId()
  return (
    <fieldset
      aria-label={field.label}
      aria-describedby={error ? errorId : undefined}
      className={compact ? 'question-text question-text-compact' : 'question-text'}
    >
      <RichText {...field} {...(hint ? { hint } : {})} files media />
      {error && (
        <p id={errorId} className="field-error mt-1">
          {error}
        </p>
      )}
    </fieldset>
  )
}
