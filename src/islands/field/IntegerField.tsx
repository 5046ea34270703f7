import { useState } from 'react'
import { Field } from '#islands/ui/Field.tsx'

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
export function IntegerField({ value, min, max, required = false, onChange, ...rest }: Props) {
  const [typed, setTyped] = useState(write(value))
  const parsed = readInteger(typed)
  return (
    <Field
      {...rest}
      type="number"
      inputMode="numeric"
      min={min}
      max={max}
      value={parsed === undefined || parsed === value ? typed : write(value)}
      onChange={({ target }) => {
        setTyped(target.value)
        const number = readInteger(target.value)
        if (number === undefined || (number === null && required)) return
        if (number === null || (number >= min && number <= max)) onChange(number)
      }}
    />
  )
}

const write = (value: number | null): string => (value === null ? '' : String(value))

/** Null for an empty field, undefined for text that is not an integer. */
function readInteger(typed: string): number | null | undefined {
  if (typed.trim() === '') return null
  const number = Number(typed)
  return Number.isInteger(number) ? number : undefined
}
