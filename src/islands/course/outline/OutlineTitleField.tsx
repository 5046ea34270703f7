import { useEffect, useRef } from 'react'

interface Props {
  label: string
  value: string
  /** Null: unchanged. */
  onDone: (typed: string | null) => void
}

/** Edits a title: Enter and blur save it, Escape cancels. */
export function OutlineTitleField({ label, value, onDone }: Props) {
  const field = useRef<HTMLInputElement>(null)
  const isFinished = useRef(false)
  useEffect(() => field.current?.select(), [])
  const finish = (typed: string | null) => {
    if (isFinished.current) return
    isFinished.current = true
    const title = typed?.trim() ?? ''
    onDone(title === '' || title === value ? null : title)
  }
  return (
    <input
      ref={field}
      className="input input-sm min-w-0 flex-1"
      aria-label={label}
      defaultValue={value}
      maxLength={160}
      onBlur={(event) => finish(event.target.value)}
      onKeyDown={(event) => {
        event.stopPropagation()
        if (event.nativeEvent.isComposing) return
        if (event.key === 'Enter') finish(event.currentTarget.value)
        if (event.key === 'Escape') finish(null)
      }}
    />
  )
}
