import { ImageField } from '#islands/picker/ImageField.tsx'
import { Field, TextArea } from '#islands/ui/Field.tsx'
import { Select } from '#islands/ui/Select.tsx'
import { CERTIFICATE_VARIABLES } from '#lib/certificate/state-schema.ts'
import { ALIGNMENTS, FONTS, type TemplateElement, WEIGHTS } from '#lib/certificate/template/schema.ts'
import type { Locale } from '#lib/core/shared/locale.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import { roundLength, roundMm } from './geometry.ts'

interface Props {
  element: TemplateElement
  onChange: (element: TemplateElement) => void
  locale: Locale
  t: Translate
}

/** The fields of the selected element. */
export function ElementFields({ element, onChange, locale, t }: Props) {
  return (
    <div className="grid gap-4">
      {element.kind === 'text' && <TextFields element={element} onChange={onChange} t={t} />}
      {element.kind === 'signature' && (
        <>
          <Field
            label={t('certificate:edit.signer')}
            value={element.name}
            maxLength={120}
            onChange={(event) => onChange({ ...element, name: event.target.value })}
          />
          <Field
            label={t('certificate:edit.signerRole')}
            value={element.role}
            maxLength={120}
            onChange={(event) => onChange({ ...element, role: event.target.value })}
          />
        </>
      )}
      {(element.kind === 'image' || element.kind === 'signature') && (
        <ImageField
          label={t('certificate:edit.image')}
          chooseLabel={t('certificate:edit.chooseImage')}
          removeLabel={t('certificate:edit.removeImage')}
          none={t(element.kind === 'image' ? 'certificate:edit.schoolLogo' : 'certificate:edit.noImage')}
          fileId={element.fileId}
          onChange={(fileId) => onChange({ ...element, fileId })}
          locale={locale}
          t={t}
        />
      )}
      {element.kind !== 'image' && (
        <ColorField color={element.color} onChange={(color) => onChange({ ...element, color })} t={t} />
      )}
      <div className="grid grid-cols-2 gap-3">
        {(['x', 'y', 'w', 'h'] as const).map((key) => (
          <Field
            key={key}
            type="number"
            step="0.1"
            label={t(`certificate:edit.${key}`)}
            value={element[key]}
            onChange={(event) => {
              const typed = event.target.valueAsNumber
              if (!Number.isFinite(typed)) return
              onChange({ ...element, [key]: key === 'w' || key === 'h' ? roundLength(typed) : roundMm(typed) })
            }}
          />
        ))}
      </div>
    </div>
  )
}

type TextElement = Extract<TemplateElement, { kind: 'text' }>

function TextFields({
  element,
  onChange,
  t,
}: Pick<Props, 't'> & { element: TextElement; onChange: (element: TextElement) => void }) {
  return (
    <>
      <TextArea
        label={t('certificate:edit.value')}
        value={element.value}
        maxLength={500}
        rows={2}
        onChange={(event) => onChange({ ...element, value: event.target.value })}
      />
      <Select
        label={t('certificate:edit.variables')}
        placeholder="—"
        value=""
        options={CERTIFICATE_VARIABLES.map((name) => ({ value: name, label: t(`certificate:edit.variable.${name}`) }))}
        onChange={(event) => {
          if (event.target.value)
            onChange({ ...element, value: `${element.value}{${event.target.value}}`.slice(0, 500) })
        }}
      />
      <div className="grid grid-cols-2 gap-3">
        <Select
          label={t('certificate:edit.font')}
          value={element.font}
          options={FONTS.map((font) => ({ value: font, label: font === 'onest' ? 'Onest' : 'Literata' }))}
          onChange={(event) =>
            onChange({ ...element, font: FONTS.find((font) => font === event.target.value) ?? 'onest' })
          }
        />
        <Select
          label={t('certificate:edit.weight')}
          value={String(element.weight)}
          options={WEIGHTS.map((weight) => ({ value: String(weight), label: t(`certificate:edit.w${weight}`) }))}
          onChange={(event) =>
            onChange({ ...element, weight: WEIGHTS.find((weight) => String(weight) === event.target.value) ?? 400 })
          }
        />
        <Field
          type="number"
          min={5}
          max={120}
          step="0.5"
          label={t('certificate:edit.fontSize')}
          value={element.size}
          onChange={(event) => {
            const typed = event.target.valueAsNumber
            if (Number.isFinite(typed)) onChange({ ...element, size: Math.min(Math.max(typed, 5), 120) })
          }}
        />
        <Select
          label={t('certificate:edit.align')}
          value={element.align}
          options={ALIGNMENTS.map((align) => ({ value: align, label: t(`certificate:edit.${align}`) }))}
          onChange={(event) =>
            onChange({ ...element, align: ALIGNMENTS.find((align) => align === event.target.value) ?? 'center' })
          }
        />
      </div>
    </>
  )
}

function ColorField({ color, onChange, t }: { color: string; onChange: (color: string) => void; t: Translate }) {
  const isBrand = color === 'brand'
  return (
    <div className="grid grid-cols-2 items-end gap-3">
      <Select
        label={t('certificate:edit.color')}
        value={isBrand ? 'brand' : 'own'}
        options={[
          { value: 'brand', label: t('certificate:edit.brand') },
          { value: 'own', label: isBrand ? '#…' : color },
        ]}
        onChange={(event) => onChange(event.target.value === 'brand' ? 'brand' : '#1d2129')}
      />
      {!isBrand && (
        <input
          type="color"
          className="h-10 w-full cursor-pointer"
          aria-label={t('certificate:edit.color')}
          value={color}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </div>
  )
}
