import { IntegerField } from '#islands/field/IntegerField.tsx'
import type { QuestionContentOfType } from '#lib/quiz/question/schema.ts'
import type { FieldsProps } from '../editor/question-props.ts'
import { OptionalText } from './OptionalText.tsx'

/** Limits of an essay and its sample answer. */
export function EssayFields({ content, onChange, issueAt, t }: FieldsProps<QuestionContentOfType<'essay'>>) {
  return (
    <>
      <div className="grid gap-3 sm:grid-cols-2">
        <IntegerField
          label={t('quizeditor:essay.minWords')}
          hint={t('quizeditor:noLimit')}
          error={issueAt('minWords')}
          value={content.minWords}
          min={1}
          max={10_000}
          onChange={(minWords) => onChange({ ...content, minWords })}
        />
        <IntegerField
          label={t('quizeditor:essay.maxWords')}
          hint={t('quizeditor:noLimit')}
          value={content.maxWords}
          min={1}
          max={10_000}
          onChange={(maxWords) => onChange({ ...content, maxWords })}
        />
      </div>
      <OptionalText
        label={t('quizeditor:essay.sample')}
        addLabel={t('quizeditor:essay.addSample')}
        value={content.sampleAnswer}
        onChange={(sampleAnswer) => onChange({ ...content, sampleAnswer })}
        t={t}
      />
    </>
  )
}
