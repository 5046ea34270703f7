import { Checkbox } from '#islands/ui/Checkbox.tsx'
import { Field, TextArea } from '#islands/ui/Field.tsx'
import { SaveState } from '#islands/ui/SaveState.tsx'
import { Select } from '#islands/ui/Select.tsx'
import type { Locale } from '#lib/core/shared/locale.ts'
import { keyFrom } from '#lib/core/shared/text/message-key.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'

export function ShowcaseForms({ t, locale }: { t: Translate; locale: Locale }) {
  const label = (key: string) => t(keyFrom(`shell:styleguide.${key}`))
  return (
    <section className="grid gap-4 border-base-300 border-t py-8">
      <h2 className="font-semibold text-xl">{label('forms')}</h2>
      <div className="grid max-w-3xl gap-5 sm:grid-cols-2">
        <Field label={label('name')} hint={label('nameHint')} defaultValue={label('sample')} />
        <Field label={label('name')} error={label('nameError')} defaultValue="" />
        <Select
          label={label('status')}
          placeholder={t('shell:field.choose')}
          options={['draft', 'published', 'archived'].map((value) => ({ value, label: label(value) }))}
        />
        <TextArea
          className="sm:col-span-2"
          label={label('about')}
          defaultValue={label('prose')}
          aside={<SaveState state={{ kind: 'saving' }} locale={locale} t={t} />}
        />
        <Checkbox label={label('agree')} defaultChecked />
        <Field label={label('name')} disabled defaultValue={label('sample')} />
      </div>
    </section>
  )
}
