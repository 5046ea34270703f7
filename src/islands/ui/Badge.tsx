import type { ReactNode } from 'react'

export type BadgeTone = 'plain' | 'info' | 'success' | 'warning' | 'error' | 'live'

const TONES: Record<BadgeTone, string> = {
  plain: 'border-base-300 text-muted',
  info: 'border-info text-info',
  success: 'border-success text-success',
  warning: 'border-warning text-warning',
  error: 'border-error text-error',
  live: 'border-transparent bg-accent text-accent-content',
}

/** A state in one or two words; the meaning never depends on the color. */
export function Badge({ tone = 'plain', children }: { tone?: BadgeTone; children: ReactNode }) {
  return (
    <span
      className={`inline-flex min-h-6 items-center rounded-selector border px-2 font-medium text-xs ${TONES[tone]}`}
    >
      {children}
    </span>
  )
}
