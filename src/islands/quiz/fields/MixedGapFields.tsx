import { Field } from '#islands/ui/Field.tsx'
import { Select } from '#islands/ui/Select.tsx'
import type { MixedGap, QuestionContentOfType } from '#lib/quiz/question/schema.ts'
import { blankListText } from '../editor/blank-question.ts'
import { withGapKind } from '../editor/question-parts.ts'
import type { FieldsProps } from '../editor/question-props.ts'
import { AcceptedNumbers } from './NumberFields.tsx'
import { AcceptedTexts, TextComparisonFields } from './TextFields.tsx'

const KINDS = ['text', 'number', 'menu', 'several'] as const

/** The kind, weight and answers of one of the gaps with different kinds. */
export function MixedGapFields({
  content,
  index,
  onChange,
  issueAt,
  t,
}: FieldsProps<QuestionContentOfType<'gapMixed'>> & { index: number }) {
  const gap = content.gaps[index]
  if (!gap) return null
  const set = (next: MixedGap) => onChange({ ...content, gaps: content.gaps.with(index, next) })
  return (
    <>
      <div className="grid gap-3 sm:grid-cols-2">
        <Select
          label={t('quizeditor:gap.kind')}
          options={KINDS.map((kind) => ({ value: kind, label: t(`quizeditor:gap.kinds.${kind}`) }))}
          value={gap.kind}
          onChange={({ target }) => set(withGapKind(gap, KINDS.find((kind) => kind === target.value) ?? gap.kind))}
        />
        <Field
          label={t('quizeditor:gap.weight')}
          hint={t('quizeditor:gap.weightHint')}
          type="number"
          min={0}
          max={1000}
          step="any"
          value={String(gap.weight)}
          onChange={({ target }) => set({ ...gap, weight: weightOf(target.valueAsNumber) })}
        />
      </div>
      {'options' in gap ? (
        <AcceptedTexts
          label={t('quizeditor:gap.options')}
          hint={t(gap.kind === 'menu' ? 'quizeditor:gap.optionsHint' : 'quizeditor:gap.severalHint')}
          create={blankListText}
          accepted={gap.options}
          onChange={(options) => set({ ...gap, options })}
          issueAt={(...path) => issueAt('gaps', index, 'options', ...path)}
          t={t}
        />
      ) : gap.kind === 'number' ? (
        <AcceptedNumbers
          accepted={gap.accepted}
          onChange={(accepted) => set({ ...gap, accepted })}
          issueAt={(...path) => issueAt('gaps', index, 'accepted', ...path)}
          t={t}
        />
      ) : (
        <>
          <AcceptedTexts
            label={t('quizeditor:accepted.label')}
            accepted={gap.accepted}
            onChange={(accepted) => set({ ...gap, accepted })}
            issueAt={(...path) => issueAt('gaps', index, 'accepted', ...path)}
            t={t}
          />
          <TextComparisonFields content={gap} onChange={set} t={t} />
        </>
      )}
    </>
  )
}

const weightOf = (typed: number): number => (Number.isFinite(typed) ? Math.min(1000, Math.max(0, typed)) : 0)
