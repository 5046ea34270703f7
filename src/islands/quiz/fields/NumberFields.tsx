import { useState } from 'react'
import { Field } from '#islands/ui/Field.tsx'
import { Select } from '#islands/ui/Select.tsx'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import { DecimalText } from '#lib/quiz/question/decimal-schema.ts'
import type { AcceptedNumber, QuestionContentOfType } from '#lib/quiz/question/schema.ts'
import { blankNumber } from '../editor/blank-question.ts'
import type { FieldsProps, IssueAt } from '../editor/question-props.ts'
import { AcceptedAnswers } from './AcceptedAnswers.tsx'

/** Accepted numbers with a tolerance, or ranges. */
export function NumberFields({ content, onChange, issueAt, t }: FieldsProps<QuestionContentOfType<'number'>>) {
  return (
    <>
      <AcceptedNumbers
        accepted={content.accepted}
        onChange={(accepted) => onChange({ ...content, accepted })}
        issueAt={(...path) => issueAt('accepted', ...path)}
        t={t}
      />
      <Field
        label={t('quizeditor:number.unit')}
        hint={t('quizeditor:number.unitHint')}
        value={content.unit}
        maxLength={40}
        onChange={({ target }) => onChange({ ...content, unit: target.value })}
      />
    </>
  )
}

interface AcceptedNumbersProps {
  accepted: readonly AcceptedNumber[]
  onChange: (accepted: AcceptedNumber[]) => void
  /** Issues of the list and its entries. */
  issueAt: IssueAt
  t: Translate
}

export function AcceptedNumbers({ accepted, onChange, issueAt, t }: AcceptedNumbersProps) {
  const decimal = (label: string, value: string, error: string | undefined, set: (value: string) => void) => (
    <DecimalTextField label={label} value={value} error={error} wrong={t('quizeditor:number.wrong')} onChange={set} />
  )
  return (
    <AcceptedAnswers
      label={t('quizeditor:accepted.label')}
      hint={t('quizeditor:number.hint')}
      error={issueAt()}
      accepted={accepted}
      onChange={onChange}
      create={blankNumber}
      columns="sm:grid-cols-2 xl:grid-cols-4"
      t={t}
    >
      {(entry, index, set) => {
        const error = issueAt(index)
        return (
          <>
            <Select
              label={t('quizeditor:number.kind')}
              options={(['value', 'range'] as const).map((kind) => ({
                value: kind,
                label: t(`quizeditor:number.kinds.${kind}`),
              }))}
              value={entry.kind}
              onChange={({ target }) => set(changeKind(entry, target.value))}
            />
            {entry.kind === 'value' ? (
              <>
                {decimal(t('quizeditor:number.value'), entry.value, undefined, (value) => set({ ...entry, value }))}
                {decimal(t('quizeditor:number.tolerance'), entry.tolerance, error, (tolerance) =>
                  set({ ...entry, tolerance }),
                )}
              </>
            ) : (
              <>
                {decimal(t('quizeditor:number.min'), entry.min, undefined, (min) => set({ ...entry, min }))}
                {decimal(t('quizeditor:number.max'), entry.max, error, (max) => set({ ...entry, max }))}
              </>
            )}
          </>
        )
      }}
    </AcceptedAnswers>
  )
}

function changeKind(entry: AcceptedNumber, kind: string): AcceptedNumber {
  const { id, fraction, explanation } = entry
  if (kind === 'range' && entry.kind === 'value')
    return { id, fraction, explanation, kind: 'range', min: entry.value, max: entry.value }
  if (kind === 'value' && entry.kind === 'range')
    return { id, fraction, explanation, kind: 'value', value: entry.min, tolerance: '0' }
  return entry
}

interface DecimalTextFieldProps {
  label: string
  value: string
  error: string | undefined
  /** The message while the text is not a number. */
  wrong: string
  onChange: (value: string) => void
}

/** A decimal number that keeps all digits; a comma is converted to a point. */
function DecimalTextField({ label, value, error, wrong, onChange }: DecimalTextFieldProps) {
  const [typed, setTyped] = useState(value)
  const parsed = DecimalText.safeParse(normalize(typed))
  const shown = !parsed.success || parsed.data === value ? typed : value
  return (
    <Field
      label={label}
      inputMode="decimal"
      autoComplete="off"
      value={shown}
      error={parsed.success ? error : wrong}
      onChange={({ target }) => {
        setTyped(target.value)
        const next = DecimalText.safeParse(normalize(target.value))
        if (next.success) onChange(next.data)
      }}
    />
  )
}

const normalize = (text: string): string => text.trim().replace(/\s/g, '').replace('−', '-').replace(',', '.')
