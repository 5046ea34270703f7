import { useState } from 'react'
import { Field } from '#islands/ui/Field.tsx'
import { parseInteger } from '../task-props.ts'

interface Props {
  label: string
  hint?: string | undefined
  error?: string | undefined
  value: number | null
  min: number
  max: number
  /** Without this flag an empty field is null. */
  required?: boolean
  onChange: (value: number | null) => void
}

/** A whole number that may be empty. Incomplete input stays in the field; the value is the last valid number. */
export function NumberField({ value, min, max, required = false, onChange, ...rest }: Props) {
  const [typed, setTyped] = useState(value === null ? '' : String(value))
  const shown =
    parseInteger(typed) === value || parseInteger(typed) === undefined ? typed : value === null ? '' : String(value)
  return (
    <Field
      {...rest}
      type="number"
      inputMode="numeric"
      min={min}
      max={max}
      value={shown}
      onChange={({ target }) => {
        setTyped(target.value)
        const number = parseInteger(target.value)
        if (number === undefined || (number === null && required)) return
        if (number === null || (number >= min && number <= max)) onChange(number)
      }}
    />
  )
}
