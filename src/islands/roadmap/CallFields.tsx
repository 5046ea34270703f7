import { useState } from 'react'
import { Field } from '#islands/ui/Field.tsx'
import { isSafeHref } from '#lib/core/shared/lesson-doc.ts'
import type { Say } from '#lib/core/shared/text/strings.ts'
import type { CallToAct } from '#lib/roadmap/schema.ts'

interface Props {
  value: CallToAct | null
  onChange: (value: CallToAct | null) => void
  say: Say
}

/** The one call to act of a road map: both fields or none. A wrong address stays in the field and is told at once. */
export function CallFields({ value, onChange, say }: Props) {
  const [label, setLabel] = useState(value?.label ?? '')
  const [href, setHref] = useState(value?.href ?? '')
  const wrong = href !== '' && !isSafeHref(href)
  const change = (next: CallToAct) => {
    setLabel(next.label)
    setHref(next.href)
    if (next.label.trim() === '' && next.href === '') onChange(null)
    else if (next.label.trim() !== '' && isSafeHref(next.href)) onChange(next)
  }
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Field
        label={say('roadmap:edit.callLabel')}
        hint={say('roadmap:edit.callHint')}
        value={label}
        maxLength={60}
        onChange={(event) => change({ label: event.target.value, href })}
      />
      <Field
        label={say('roadmap:edit.callHref')}
        value={href}
        inputMode="url"
        placeholder="https://"
        error={wrong ? say('errors:format') : undefined}
        onChange={(event) => change({ label, href: event.target.value.trim() })}
      />
    </div>
  )
}
