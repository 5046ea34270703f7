import { useId } from 'react'
import { Checkbox } from '#islands/ui/Checkbox.tsx'
import type { ChoiceOption, QuestionContentOfType } from '#lib/quiz/question/schema.ts'
import { blankOption } from '../editor/blank-question.ts'
import { markOption } from '../editor/question-parts.ts'
import type { FieldsProps } from '../editor/question-props.ts'
import { OptionalText } from './OptionalText.tsx'
import { PartList } from './PartList.tsx'
import { PercentField } from './PercentField.tsx'
import { QuestionText } from './QuestionText.tsx'

/** Options of a single or multiple choice. */
export function ChoiceFields({
  content,
  onChange,
  issueAt,
  t,
}: FieldsProps<QuestionContentOfType<'single' | 'multiple'>>) {
  const group = useId()
  const isSingle = content.type === 'single'
  const isRight = ({ fraction }: ChoiceOption) => (isSingle ? fraction === 1 : fraction > 0)
  return (
    <>
      <PartList
        label={t('quizeditor:choice.options')}
        hint={t(isSingle ? 'quizeditor:choice.singleHint' : 'quizeditor:choice.multipleHint')}
        error={issueAt('options')}
        parts={content.options}
        onChange={(options) => onChange({ ...content, options })}
        nameOf={(number) => t('quizeditor:choice.option', { number })}
        addLabel={t('quizeditor:choice.add')}
        create={blankOption}
        t={t}
      >
        {(option, index, set) => (
          <>
            <label className="flex min-h-6 items-center gap-3 text-sm">
              <input
                type={isSingle ? 'radio' : 'checkbox'}
                name={isSingle ? group : undefined}
                className={isSingle ? 'radio' : 'checkbox'}
                checked={isRight(option)}
                onChange={({ target }) => onChange(markOption(content, option.id, target.checked))}
              />
              {t('quizeditor:choice.correct')}
            </label>
            <QuestionText
              compact
              label={t('quizeditor:choice.optionText', { number: index + 1 })}
              value={option.content}
              error={issueAt('options', index, 'content')}
              onChange={(text) => set({ ...option, content: text })}
              t={t}
            />
            {(!isSingle || !isRight(option)) && (
              <PercentField
                label={t('quizeditor:choice.fraction')}
                value={option.fraction}
                {...(isSingle ? { max: 99 } : {})}
                onChange={(fraction) => set({ ...option, fraction })}
              />
            )}
            <OptionalText
              label={t('quizeditor:explanationOf', { name: t('quizeditor:choice.option', { number: index + 1 }) })}
              addLabel={t('quizeditor:addExplanation')}
              value={option.explanation}
              onChange={(explanation) => set({ ...option, explanation })}
              t={t}
            />
          </>
        )}
      </PartList>
      <Checkbox
        label={t('quizeditor:choice.shuffle')}
        checked={content.shuffle}
        onChange={({ target }) => onChange({ ...content, shuffle: target.checked })}
      />
    </>
  )
}

/** The right answer of a true/false question, and an explanation of each. */
export function TrueFalseFields({ content, onChange, issueAt, t }: FieldsProps<QuestionContentOfType<'trueFalse'>>) {
  const group = useId()
  const error = issueAt('correct')
  return (
    <>
      <fieldset className="grid gap-2" aria-describedby={error ? `${group}-error` : undefined}>
        <legend className="field-label mb-2">{t('quizeditor:trueFalse.correct')}</legend>
        {[true, false].map((value) => (
          <label key={String(value)} className="flex min-h-6 items-center gap-3 text-sm">
            <input
              type="radio"
              name={group}
              className="radio"
              checked={content.correct === value}
              onChange={() => onChange({ ...content, correct: value })}
            />
            {t(`quizeditor:trueFalse.${value}`)}
          </label>
        ))}
        {error && (
          <p id={`${group}-error`} className="field-error">
            {error}
          </p>
        )}
      </fieldset>
      {([true, false] as const).map((value) => {
        const field = value ? 'trueExplanation' : 'falseExplanation'
        const name = t(`quizeditor:trueFalse.${value}`)
        return (
          <OptionalText
            key={field}
            label={t('quizeditor:explanationOf', { name })}
            addLabel={t('quizeditor:addExplanationOf', { name })}
            value={content[field]}
            onChange={(explanation) => onChange({ ...content, [field]: explanation })}
            t={t}
          />
        )
      })}
    </>
  )
}
