import type { ButtonHTMLAttributes, ReactNode } from 'react'

type Tone = 'primary' | 'accent' | 'plain' | 'quiet' | 'danger'

interface Props extends ButtonHTMLAttributes<HTMLButtonElement> {
  tone?: Tone
  small?: boolean
  /** Shows a spinner; clicks are ignored. */
  busy?: boolean
  icon?: ReactNode
}

const TONES: Record<Tone, string> = {
  primary: 'btn-primary',
  accent: 'btn-accent',
  plain: '',
  quiet: 'btn-ghost',
  danger: 'btn-error',
}

/** A button. While `busy`, clicks are ignored. */
export function Button({ tone = 'plain', small, busy, icon, className, children, onClick, type, ...rest }: Props) {
  return (
    <button
      {...rest}
      type={type ?? 'button'}
      className={['btn', TONES[tone], small && 'btn-sm', className].filter(Boolean).join(' ')}
      aria-busy={busy || undefined}
      onClick={busy ? (event) => event.preventDefault() : onClick}
    >
      {busy ? <span className="loading loading-spinner loading-xs" aria-hidden="true" /> : icon}
      {children}
    </button>
  )
}
