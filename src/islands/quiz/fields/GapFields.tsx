import { Trash } from 'lucide-react'
import { Button } from '#islands/ui/Button.tsx'
import { Field } from '#islands/ui/Field.tsx'
import type { QuestionContentOfType } from '#lib/quiz/question/schema.ts'
import { blankGapOption } from '../editor/blank-question.ts'
import { addGap, addMarkedGaps, type GapQuestion, removeGap } from '../editor/question-parts.ts'
import type { FieldsProps } from '../editor/question-props.ts'
import { MixedGapFields } from './MixedGapFields.tsx'
import { PartList } from './PartList.tsx'
import { PercentField } from './PercentField.tsx'
import { AcceptedTexts, TextComparisonFields } from './TextFields.tsx'

/** The gaps of a text, which the stem contains as `[[1]]`. */
export function GapFields({ content, onChange, issueAt, t }: FieldsProps<GapQuestion>) {
  const hasUnknownMarkers = addMarkedGaps(content).gaps.length > content.gaps.length
  const error = issueAt('gaps')
  return (
    <fieldset className="grid min-w-0 gap-3">
      <legend className="field-label">{t('quizeditor:gap.label')}</legend>
      <p className="field-hint">{t('quizeditor:gap.hint', { id: content.gaps[0]?.id ?? '1' })}</p>
      {error && <p className="field-error">{error}</p>}
      {content.gaps.map((gap, index) => {
        const name = t('quizeditor:gap.name', { id: gap.id })
        const gapIssue = issueAt('gaps', index)
        return (
          <section key={gap.id} aria-label={name} className="card-line grid min-w-0 gap-3 p-3">
            <div className="flex items-center justify-between gap-2">
              <h3 className="font-semibold">{name}</h3>
              <button
                type="button"
                className="btn btn-ghost btn-square btn-sm"
                aria-label={t('quizeditor:part.remove', { name })}
                title={t('quizeditor:part.remove', { name })}
                onClick={() => onChange(removeGap(content, gap.id))}
              >
                <Trash size={18} strokeWidth={1.75} aria-hidden="true" />
              </button>
            </div>
            {gapIssue && <p className="field-error">{gapIssue}</p>}
            {content.type === 'gapMixed' ? (
              <MixedGapFields content={content} index={index} onChange={onChange} issueAt={issueAt} t={t} />
            ) : content.type === 'gapText' ? (
              <AcceptedTexts
                label={t('quizeditor:accepted.label')}
                accepted={content.gaps[index]?.accepted ?? []}
                onChange={(accepted) =>
                  onChange({ ...content, gaps: content.gaps.with(index, { id: gap.id, accepted }) })
                }
                issueAt={(...path) => issueAt('gaps', index, 'accepted', ...path)}
                t={t}
              />
            ) : (
              <GapOptions content={content} index={index} onChange={onChange} issueAt={issueAt} t={t} />
            )}
          </section>
        )
      })}
      <div className="flex flex-wrap gap-2">
        <Button small onClick={() => onChange(addGap(content))}>
          + {t('quizeditor:gap.add')}
        </Button>
        {hasUnknownMarkers && (
          <Button small onClick={() => onChange(addMarkedGaps(content))}>
            {t('quizeditor:gap.addMarked')}
          </Button>
        )}
      </div>
      {content.type === 'gapText' && <TextComparisonFields content={content} onChange={onChange} t={t} />}
    </fieldset>
  )
}

function GapOptions({
  content,
  index,
  onChange,
  issueAt,
  t,
}: FieldsProps<QuestionContentOfType<'gapSelect'>> & { index: number }) {
  const gap = content.gaps[index]
  if (!gap) return null
  return (
    <PartList
      label={t('quizeditor:gap.options')}
      hint={t('quizeditor:gap.optionsHint')}
      error={issueAt('gaps', index, 'options')}
      parts={gap.options}
      onChange={(options) => onChange({ ...content, gaps: content.gaps.with(index, { ...gap, options }) })}
      nameOf={(number) => t('quizeditor:choice.option', { number })}
      addLabel={t('quizeditor:choice.add')}
      create={blankGapOption}
      t={t}
    >
      {(option, place, set) => (
        <div className="grid gap-3 sm:grid-cols-[minmax(0,1fr)_9rem]">
          <Field
            label={t('quizeditor:choice.optionText', { number: place + 1 })}
            value={option.text}
            maxLength={200}
            error={issueAt('gaps', index, 'options', place, 'text')}
            onChange={({ target }) => set({ ...option, text: target.value })}
          />
          <PercentField
            label={t('quizeditor:choice.fraction')}
            value={option.fraction}
            onChange={(fraction) => set({ ...option, fraction })}
          />
        </div>
      )}
    </PartList>
  )
}
