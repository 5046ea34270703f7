import { type SelectHTMLAttributes, useId } from 'react'
import { FieldFrame, fieldAttributes } from './Field.tsx'

interface Props extends SelectHTMLAttributes<HTMLSelectElement> {
  label: string
  options: readonly { value: string; label: string }[]
  /** The first, empty option. */
  placeholder?: string
  hint?: string
  error?: string | undefined
}

/** A native select: it works on phones and with the keyboard. */
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
