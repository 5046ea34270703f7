import { Checkbox } from '#islands/ui/Checkbox.tsx'
import { Field } from '#islands/ui/Field.tsx'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import type { AcceptedText, QuestionContentOfType } from '#lib/quiz/question/schema.ts'
import { blankText } from '../editor/blank-question.ts'
import type { FieldsProps, IssueAt } from '../editor/question-props.ts'
import { AcceptedAnswers } from './AcceptedAnswers.tsx'

/** Accepted answers of a short text. */
export function ShortTextFields({ content, onChange, issueAt, t }: FieldsProps<QuestionContentOfType<'shortText'>>) {
  return (
    <>
      <AcceptedTexts
        label={t('quizeditor:accepted.label')}
        accepted={content.accepted}
        onChange={(accepted) => onChange({ ...content, accepted })}
        issueAt={(...path) => issueAt('accepted', ...path)}
        t={t}
      />
      <TextComparisonFields content={content} onChange={onChange} t={t} />
    </>
  )
}

interface AcceptedTextsProps {
  label: string
  hint?: string
  create?: () => AcceptedText
  accepted: readonly AcceptedText[]
  onChange: (accepted: AcceptedText[]) => void
  /** Issues of the list and its entries. */
  issueAt: IssueAt
  t: FieldsProps<QuestionContentOfType<'shortText'>>['t']
}

export function AcceptedTexts({ label, hint, create = blankText, accepted, onChange, issueAt, t }: AcceptedTextsProps) {
  return (
    <AcceptedAnswers
      label={label}
      hint={hint ?? t('quizeditor:accepted.hint')}
      error={issueAt()}
      accepted={accepted}
      onChange={onChange}
      create={create}
      columns="sm:grid-cols-[minmax(0,1fr)_9rem]"
      t={t}
    >
      {(entry, index, set) => (
        <Field
          label={t('quizeditor:accepted.text', { number: index + 1 })}
          value={entry.text}
          maxLength={500}
          error={issueAt(index, 'text')}
          onChange={({ target }) => set({ ...entry, text: target.value })}
        />
      )}
    </AcceptedAnswers>
  )
}

const COMPARISONS = ['caseSensitive', 'trim', 'lenient', 'wildcards'] as const

/** How typed answers are compared. */
export function TextComparisonFields<T extends { [Name in (typeof COMPARISONS)[number]]?: boolean | undefined }>({
  content,
  onChange,
  t,
}: {
  content: T
  onChange: (content: T) => void
  t: Translate
}) {
  return (
    <fieldset className="grid gap-2">
      <legend className="field-label mb-2">{t('quizeditor:compare.label')}</legend>
      {COMPARISONS.map((name) => (
        <Checkbox
          key={name}
          label={t(`quizeditor:compare.${name}`)}
          checked={content[name] ?? true}
          onChange={({ target }) => onChange({ ...content, [name]: target.checked })}
        />
      ))}
    </fieldset>
  )
}
