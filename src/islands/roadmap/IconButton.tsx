import type { ReactNode } from 'react'

interface Props {
  label: string
  disabled?: boolean
  onClick: () => void
  children: ReactNode
}

/** A small button with an icon and an accessible name. */
export function IconButton({ label, disabled, onClick, children }: Props) {
  return (
    <button
      type="button"
      className="btn btn-ghost btn-sm btn-square"
      aria-label={label}
      title={label}
      disabled={disabled}
      onClick={onClick}
    >
      {children}
    </button>
  )
}
