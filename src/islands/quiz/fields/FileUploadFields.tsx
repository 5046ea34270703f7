import { IntegerField } from '#islands/field/IntegerField.tsx'
import { Checkbox } from '#islands/ui/Checkbox.tsx'
import type { QuestionContentOfType } from '#lib/quiz/question/schema.ts'
import type { FieldsProps } from '../editor/question-props.ts'

const MEGABYTE = 1024 * 1024
const FILE_KINDS = ['image', 'video', 'audio', 'doc'] as const

/** Kinds, number and size of uploaded files. */
export function FileUploadFields({ content, onChange, t }: FieldsProps<QuestionContentOfType<'fileUpload'>>) {
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
