import { roundFraction } from '../editor/question-parts.ts'
import { DecimalField } from './DecimalField.tsx'

interface Props {
  label: string
  hint?: string
  value: number
  min?: number
  max?: number
  onChange: (fraction: number) => void
}

/** A fraction from -1 to 1, shown in percent. */
export function PercentField({ value, onChange, min = -100, max = 100, ...rest }: Props) {
  return (
    <DecimalField
      {...rest}
      value={Math.round(value * 100_000) / 1000}
      min={min}
      max={max}
      decimals={3}
      className="max-w-36"
      onChange={(percent) => onChange(roundFraction(percent / 100))}
    />
  )
}
