import { Checkbox } from '#islands/ui/Checkbox.tsx'
import { EMPTY_DOC, type LessonDoc } from '#lib/core/shared/lesson-doc.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import { QuestionText } from './QuestionText.tsx'

interface Props {
  label: string
  addLabel: string
  value: LessonDoc | null
  onChange: (doc: LessonDoc | null) => void
  t: Translate
}

/** An optional text of a question, e.g. an explanation. */
export function OptionalText({ label, addLabel, value, onChange, t }: Props) {
  return (
    <div className="grid gap-2">
      <Checkbox
        label={addLabel}
        checked={value !== null}
        onChange={({ target }) => onChange(target.checked ? EMPTY_DOC : null)}
      />
      {value && <QuestionText compact label={label} value={value} onChange={onChange} t={t} />}
    </div>
  )
}
