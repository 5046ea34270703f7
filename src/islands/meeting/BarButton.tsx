import type { ReactNode } from 'react'

interface Props {
  /** What it does: its name, and the hint of a mouse. */
  label: string
  /** Its name among the acts of the bar: by it a dialog finds the button that the focus goes back to. */
  command?: string
  /** How early it steps back into the menu on a bar too narrow for all: 3 first, 1 last; without it never. */
  rank?: 1 | 2 | 3
  /** The key that does the same; shown where there is a keyboard. */
  shortcut?: string
  icon: ReactNode
  /** Words beside the icon. */
  text?: string
  onPress: () => void
  /** A switch that is on. */
  pressed?: boolean
  /** Opens something that is open. */
  expanded?: boolean
  /** A microphone or a camera that is off: to be seen at once. */
  off?: boolean
  tone?: 'accent' | 'danger' | undefined
  count?: number
  busy?: boolean
}

/** A button of the bar. */
export function BarButton({
  label,
  command: act,
  rank,
  shortcut: hint,
  icon,
  text: words,
  onPress,
  pressed,
  expanded,
  off,
  tone,
  count,
  busy,
}: Props) {
  return (
    <button
      type="button"
      className="room-press"
      aria-label={words ? undefined : label}
      title={hint ? `${label} (${hint})` : label}
      aria-pressed={pressed}
      aria-expanded={expanded}
      aria-busy={busy || undefined}
      aria-keyshortcuts={hint && hint.length === 1 ? hint : undefined}
      data-off={off ? '' : undefined}
      data-tone={tone}
      data-act={act}
      data-rank={rank}
      data-hint={hint && /^[\w?]$/.test(hint) ? hint : undefined}
      onClick={onPress}
    >
      {icon}
      {words && <span>{words}</span>}
      {count !== undefined && count > 0 && <span className="room-press-count tabular">{count}</span>}
    </button>
  )
}
