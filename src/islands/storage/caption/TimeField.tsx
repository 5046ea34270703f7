import { type KeyboardEvent, useState } from 'react'
import { parseTimestamp } from '#lib/core/shared/text/webvtt.ts'
import { formatCueTime } from './cue-list.ts'

interface Props {
  label: string
  /** Seconds. */
  value: number
  onChange: (seconds: number) => void
  onBlur: () => void
  /** An error that is not about the format. */
  error?: string | undefined
  formatError: string
}

const STEP_SECONDS = 0.1

/** A time in the video. Arrow keys change it by a tenth of a second, with Shift by a second. */
export function TimeField({ label, value, onChange, onBlur, error, formatError }: Props) {
  // The typed text until blur: `1:0` on the way to `1:07` must not be reformatted.
  const [typed, setTyped] = useState<string | null>(null)
  const wrong = typed !== null && parseTimestamp(typed) === null
  const message = wrong ? formatError : error
  const type = (text: string) => {
    setTyped(text)
    const seconds = parseTimestamp(text)
    if (seconds !== null) onChange(seconds)
  }
  const stepByKey = (event: KeyboardEvent) => {
    if ((event.key !== 'ArrowUp' && event.key !== 'ArrowDown') || event.altKey) return
    event.preventDefault()
    const by = (event.key === 'ArrowUp' ? STEP_SECONDS : -STEP_SECONDS) * (event.shiftKey ? 10 : 1)
    setTyped(null)
    onChange(Math.max(0, Math.round((value + by) * 1000) / 1000))
  }
  return (
    <input
      className="input input-sm w-28 tabular-nums"
      inputMode="decimal"
      autoComplete="off"
      aria-label={message ? `${label}. ${message}` : label}
      aria-invalid={message ? true : undefined}
      title={message}
      value={typed ?? formatCueTime(value)}
      onChange={(event) => type(event.target.value)}
      onKeyDown={stepByKey}
      onBlur={() => {
        if (!wrong) setTyped(null)
        onBlur()
      }}
    />
  )
}
