import { IntegerField } from '#islands/field/IntegerField.tsx'
import { Checkbox } from '#islands/ui/Checkbox.tsx'
import { Field } from '#islands/ui/Field.tsx'
import type { QuestionContentOfType } from '#lib/quiz/question/schema.ts'
import type { FieldsProps } from '../editor/question-props.ts'

/** The values of a scale, and which of them are right. */
export function ScaleFields({ content, onChange, issueAt, t }: FieldsProps<QuestionContentOfType<'scale'>>) {
  const { min, max, step, correct } = content
  const number = (
    label: string,
    value: number,
    range: { min: number; max: number },
    set: (value: number) => void,
    error?: string,
  ) => (
    <IntegerField
      label={label}
      value={value}
      {...range}
      required
      error={error}
      onChange={(next) => set(next ?? value)}
    />
  )
  const bounds = { min: -1000, max: 1000 }
  return (
    <>
      <div className="grid gap-3 sm:grid-cols-3">
        {number(t('quizeditor:scale.min'), min, bounds, (next) => onChange({ ...content, min: next }))}
        {number(t('quizeditor:scale.max'), max, bounds, (next) => onChange({ ...content, max: next }), issueAt('max'))}
        {number(t('quizeditor:scale.step'), step, { min: 1, max: 1000 }, (next) =>
          onChange({ ...content, step: next }),
        )}
      </div>
      <div className="grid gap-3 sm:grid-cols-2">
        {(['minLabel', 'maxLabel'] as const).map((name) => (
          <Field
            key={name}
            label={t(`quizeditor:scale.${name}`)}
            value={content[name]}
            maxLength={80}
            onChange={({ target }) => onChange({ ...content, [name]: target.value })}
          />
        ))}
      </div>
      <Checkbox
        label={t('quizeditor:scale.hasCorrect')}
        hint={t('quizeditor:scale.hasCorrectHint')}
        checked={correct !== null}
        onChange={({ target }) => onChange({ ...content, correct: target.checked ? { min, max } : null })}
      />
      {correct && (
        <div className="grid gap-3 sm:grid-cols-2">
          {number(
            t('quizeditor:scale.correctMin'),
            correct.min,
            bounds,
            (next) => onChange({ ...content, correct: { ...correct, min: next } }),
            issueAt('correct'),
          )}
          {number(t('quizeditor:scale.correctMax'), correct.max, bounds, (next) =>
            onChange({ ...content, correct: { ...correct, max: next } }),
          )}
        </div>
      )}
    </>
  )
}
