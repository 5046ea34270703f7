import { CalendarDays } from 'lucide-react'
import { type HTMLAttributes, type ReactNode, useEffect, useId } from 'react'
import { FieldFrame, fieldAttributes } from '#islands/ui/Field.tsx'
import type { Locale } from '#lib/core/shared/locale.ts'
import { type DateKind, formatDateInput, isDateValue } from '#lib/core/shared/text/date-input.ts'
import './field.css'

interface DateFieldTag extends HTMLAttributes<HTMLElement> {
  /** React passes `class` of a custom element through. */
  class?: string
  ondatechange?: ((event: CustomEvent<string>) => void) | undefined
}

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'date-field': DateFieldTag
    }
  }
}

interface Props {
  label: string
  locale: Locale
  /** A date by default. */
  kind?: DateKind
  name?: string | undefined
  /** The initial value: `2026-11-22`, `19:00`, `2026-11-22T19:00`, or a typed text that was refused. */
  value?: string | null | undefined
  /**
   * The zone of the date: it determines the current day, and a notice is shown for times that its clocks skip or
   * repeat.
   */
  zone?: string | undefined
  id?: string | undefined
  hint?: ReactNode
  error?: string | undefined
  required?: boolean
  disabled?: boolean
  /** A small field with its label at the side, for filters. */
  compact?: boolean
  className?: string | undefined
  /** Receives the ISO value; empty while the text is not a date. */
  onChange?: (value: string) => void
}

const SAMPLES: Record<DateKind, string> = { date: '2026-12-31', time: '19:00', datetime: '2026-12-31T19:00' }

/**
 * The field for a date, a time or both, in Astro pages (layouts/ui/DateField.astro) and islands. Without JavaScript it
 * is a text field that the server parses with core/http/form-date.ts.
 */
export function DateField({ label, locale, kind = 'date', name, value, zone, compact, onChange, ...rest }: Props) {
  const own = useId()
  const { id = name ? `field-${name}` : own, hint, error, required, disabled, className } = rest
  useEffect(() => {
    void import('./date-field-element.ts')
  }, [])
  const shown = value && isDateValue(kind, value) ? formatDateInput(value, locale) : (value ?? '')
  const size = kind === 'time' ? 'date-field-time' : kind === 'datetime' ? 'date-field-long' : 'date-field-day'
  const input = (
    <date-field
      class={`date-field ${size}`}
      data-kind={kind}
      data-zone={zone}
      ondatechange={onChange && ((event) => onChange(event.detail))}
    >
      <input
        {...fieldAttributes({ id, hint, error })}
        name={name}
        defaultValue={shown}
        placeholder={formatDateInput(SAMPLES[kind], locale)}
        required={required}
        disabled={disabled}
        autoComplete="off"
        spellCheck={false}
        maxLength={80}
        inputMode={kind === 'time' ? 'numeric' : undefined}
        className={compact ? 'input input-sm' : 'input w-full'}
      />
      {kind !== 'time' && (
        <button type="button" className="date-field-open" aria-haspopup="dialog" disabled={disabled}>
          <CalendarDays size={18} strokeWidth={1.75} aria-hidden="true" />
        </button>
      )}
    </date-field>
  )
  if (!compact) {
    return (
      <FieldFrame id={id} label={label} hint={hint} error={error} className={className}>
        {input}
      </FieldFrame>
    )
  }
  return (
    <span className="date-field-compact">
      <label htmlFor={id}>{label}</label>
      {input}
    </span>
  )
}
