import type { ReactNode } from 'react'
import type { QuestionContentOfType } from '#lib/quiz/question/schema.ts'
import type { FieldsProps } from '../editor/question-props.ts'
import { OptionalText } from './OptionalText.tsx'
import { PartList } from './PartList.tsx'
import { PercentField } from './PercentField.tsx'

interface AcceptedAnswer {
  id: string
  fraction: number
  explanation: AcceptedExplanation
}

type AcceptedExplanation = QuestionContentOfType<'shortText'>['accepted'][number]['explanation']

interface Props<T extends AcceptedAnswer> {
  label: string
  hint: string
  error: string | undefined
  accepted: readonly T[]
  onChange: (accepted: T[]) => void
  create: () => T
  /** Classes of the row with the fields of an answer. */
  columns: string
  t: FieldsProps<QuestionContentOfType<'shortText'>>['t']
  /** The fields of an answer, before its share of the points. */
  children: (entry: T, index: number, set: (entry: T) => void) => ReactNode
}

/** The list of accepted answers, each with its share of the points and an explanation. */
export function AcceptedAnswers<T extends AcceptedAnswer>(props: Props<T>) {
  const { label, hint, error, accepted, onChange, create, columns, t, children } = props
  return (
    <PartList
      label={label}
      hint={hint}
      error={error}
      parts={accepted}
      onChange={onChange}
      nameOf={(number) => t('quizeditor:accepted.answer', { number })}
      addLabel={t('quizeditor:accepted.add')}
      create={create}
      t={t}
    >
      {(entry, index, set) => (
        <>
          <div className={`grid gap-3 ${columns}`}>
            {children(entry, index, set)}
            <PercentField
              label={t('quizeditor:choice.fraction')}
              value={entry.fraction}
              onChange={(fraction) => set({ ...entry, fraction })}
            />
          </div>
          <OptionalText
            label={t('quizeditor:explanationOf', { name: t('quizeditor:accepted.answer', { number: index + 1 }) })}
            addLabel={t('quizeditor:addExplanation')}
            value={entry.explanation}
            onChange={(explanation) => set({ ...entry, explanation })}
            t={t}
          />
        </>
      )}
    </PartList>
  )
}
