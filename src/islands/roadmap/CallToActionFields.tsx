import { useState } from 'react'
import { Field } from '#islands/ui/Field.tsx'
import { isSafeHref } from '#lib/core/shared/lesson-doc.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import type { RoadmapCallToAction } from '#lib/roadmap/schema.ts'

interface Props {
  value: RoadmapCallToAction | null
  onChange: (value: RoadmapCallToAction | null) => void
  t: Translate
}

/** The call to action of a road map: both fields or none. An invalid address stays in the field with an error. */
export function CallToActionFields({ value, onChange, t }: Props) {
  const [label, setLabel] = useState(value?.label ?? '')
  const [href, setHref] = useState(value?.href ?? '')
  const isInvalid = href !== '' && !isSafeHref(href)
  const onInput = (next: RoadmapCallToAction) => {
    setLabel(next.label)
    setHref(next.href)
    if (next.label.trim() === '' && next.href === '') onChange(null)
    else if (next.label.trim() !== '' && isSafeHref(next.href)) onChange(next)
  }
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Field
        label={t('roadmap:edit.callLabel')}
        hint={t('roadmap:edit.callHint')}
        value={label}
        maxLength={60}
        onChange={(event) => onInput({ label: event.target.value, href })}
      />
      <Field
        label={t('roadmap:edit.callHref')}
        value={href}
        inputMode="url"
        placeholder="https://"
        error={isInvalid ? t('errors:format') : undefined}
        onChange={(event) => onInput({ label, href: event.target.value.trim() })}
      />
    </div>
  )
}
