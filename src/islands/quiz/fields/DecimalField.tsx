import { useState } from 'react'
import { Field } from '#islands/ui/Field.tsx'

interface Props {
  label: string
  hint?: string | undefined
  error?: string | undefined
  value: number
  min: number
  max: number
  /** Number of decimals. */
  decimals: number
  className?: string
  onChange: (value: number) => void
}

/** A number with a decimal point or comma. Incomplete input stays in the field; the value is the last valid number. */
export function DecimalField({ value, min, max, decimals, onChange, ...rest }: Props) {
  const [typed, setTyped] = useState(String(value))
  const shown = readNumber(typed, decimals) === value || readNumber(typed, decimals) === null ? typed : String(value)
  return (
    <Field
      {...rest}
      inputMode="decimal"
      autoComplete="off"
      value={shown}
      onChange={({ target }) => {
        setTyped(target.value)
        const number = readNumber(target.value, decimals)
        if (number !== null && number >= min && number <= max) onChange(number)
      }}
    />
  )
}

/** Parses a number with a maximum number of decimals, with a point or comma; null for other text. */
function readNumber(typed: string, decimals: number): number | null {
  const text = typed.trim().replace(',', '.').replace('−', '-')
  if (!/^-?\d{1,9}(?:\.\d*)?$/.test(text)) return null
  const scale = 10 ** decimals
  return Math.round(Number(text) * scale) / scale
}
