import { ImageField } from '#islands/picker/ImageField.tsx'
import { Field } from '#islands/ui/Field.tsx'
import { Select } from '#islands/ui/Select.tsx'
import { ORIENTATIONS, PAGE_SIZES } from '#lib/certificate/state-schema.ts'
import type { TemplateText } from '#lib/certificate/template/schema.ts'
import type { Locale } from '#lib/core/shared/locale.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'

interface Props {
  value: TemplateText
  onChange: (value: TemplateText) => void
  locale: Locale
  t: Translate
}

/** The fields of the page: name, size, orientation and background. */
export function PageFields({ value, onChange, locale, t }: Props) {
  return (
    <section aria-label={t('certificate:edit.page')} className="card-line grid gap-4 p-4">
      <h2 className="font-semibold">{t('certificate:edit.page')}</h2>
      <Field
        label={t('certificate:edit.name')}
        value={value.name}
        maxLength={120}
        onChange={(event) => onChange({ ...value, name: event.target.value })}
      />
      <div className="grid grid-cols-2 gap-3">
        <Select
          label={t('certificate:edit.size')}
          value={value.pageSize}
          options={PAGE_SIZES.map((size) => ({ value: size, label: size }))}
          onChange={(event) =>
            onChange({ ...value, pageSize: PAGE_SIZES.find((size) => size === event.target.value) ?? 'A4' })
          }
        />
        <Select
          label={t('certificate:edit.orientation')}
          value={value.orientation}
          options={ORIENTATIONS.map((name) => ({ value: name, label: t(`certificate:edit.${name}`) }))}
          onChange={(event) =>
            onChange({
              ...value,
              orientation: ORIENTATIONS.find((name) => name === event.target.value) ?? 'landscape',
            })
          }
        />
      </div>
      <Field
        type="color"
        label={t('certificate:edit.background')}
        value={value.background}
        onChange={(event) => onChange({ ...value, background: event.target.value })}
      />
      <ImageField
        label={t('certificate:edit.backgroundImage')}
        chooseLabel={t('certificate:edit.chooseImage')}
        removeLabel={t('certificate:edit.removeImage')}
        none={t('certificate:edit.noImage')}
        fileId={value.backgroundFileId}
        onChange={(backgroundFileId) => onChange({ ...value, backgroundFileId })}
        locale={locale}
        t={t}
      />
    </section>
  )
}
