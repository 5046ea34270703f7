import { Checkbox } from '#islands/ui/Checkbox.tsx'
import { Field } from '#islands/ui/Field.tsx'
import type { QuestionOf } from '#lib/quiz/question/schema.ts'
import type { FieldsProps } from '../editor/question-props.ts'
import { IntegerField } from './IntegerField.tsx'
import { OptionalText } from './OptionalText.tsx'

const MEGABYTE = 1024 * 1024
const FILE_KINDS = ['image', 'video', 'audio', 'doc'] as const

/** Limits of an essay and its sample answer. */
export function EssayFields({ content, onChange, issueAt, t }: FieldsProps<QuestionOf<'essay'>>) {
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

/** Kinds, number and size of uploaded files. */
export function FileUploadFields({ content, onChange, t }: FieldsProps<QuestionOf<'fileUpload'>>) {
  return (
    <>
      <fieldset className="grid gap-2">
        <legend className="field-label mb-2">{t('quizeditor:upload.accept')}</legend>
        <div className="flex flex-wrap gap-x-6 gap-y-2">
          {FILE_KINDS.map((kind) => (
            <Checkbox
              key={kind}
              label={t(`quizeditor:upload.kinds.${kind}`)}
              checked={content.acceptTypes.includes(kind)}
              onChange={({ target }) =>
                onChange({
                  ...content,
                  acceptTypes: target.checked
                    ? [...content.acceptTypes, kind]
                    : content.acceptTypes.filter((type) => type !== kind),
                })
              }
            />
          ))}
        </div>
        <p className="field-hint">{t('quizeditor:upload.acceptHint')}</p>
      </fieldset>
      <div className="grid gap-3 sm:grid-cols-2">
        <IntegerField
          label={t('quizeditor:upload.maxFiles')}
          value={content.maxFiles}
          min={1}
          max={10}
          required
          onChange={(maxFiles) => onChange({ ...content, maxFiles: maxFiles ?? 1 })}
        />
        <IntegerField
          label={t('quizeditor:upload.maxMegabytes')}
          value={Math.max(1, Math.round(content.maxBytes / MEGABYTE))}
          min={1}
          max={1024}
          required
          onChange={(size) => onChange({ ...content, maxBytes: (size ?? 1) * MEGABYTE })}
        />
      </div>
    </>
  )
}

/** The values of a scale, and which of them are right. */
export function ScaleFields({ content, onChange, issueAt, t }: FieldsProps<QuestionOf<'scale'>>) {
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
