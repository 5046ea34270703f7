import { type SelectHTMLAttributes, useId } from 'react'
import { FieldFrame, fieldAttributes } from './Field.tsx'

interface Props extends SelectHTMLAttributes<HTMLSelectElement> {
  label: string
  options: readonly { value: string; label: string }[]
  /** First, empty choice. */
  placeholder?: string
  hint?: string
  error?: string | undefined
}

/** The browser's own list: it works on every phone and with every keyboard. */
export function Select({ label, options, placeholder, hint, error, id, className, ...select }: Props) {
  const own = useId()
  const frame = { id: id ?? own, label, hint, error, className }
  return (
    <FieldFrame {...frame}>
      <select {...select} {...fieldAttributes(frame)} className="select w-full">
        {placeholder !== undefined && <option value="">{placeholder}</option>}
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </FieldFrame>
  )
}
