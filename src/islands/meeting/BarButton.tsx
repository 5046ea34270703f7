import type { ReactNode } from 'react'

interface Props {
  /** Accessible name and tooltip. */
  label: string
  /** Name of the command, written to `data-action`: a closing dialog finds the button to focus by it. */
  command?: string
  /** Order in which a narrow bar moves the button into its overflow menu: 3 first, 1 last, undefined never. */
  rank?: 1 | 2 | 3
  /** Key of the keyboard shortcut; shown on devices with a keyboard. */
  shortcut?: string
  icon: ReactNode
  /** Visible text next to the icon. */
  text?: string
  onPress: () => void
  /** State of a toggle button. */
  pressed?: boolean
  /** Whether the drawer or dialog of the button is open. */
  expanded?: boolean
  /** A microphone or a camera that is off; drawn with a warning color. */
  off?: boolean
  tone?: 'accent' | 'danger' | undefined
  count?: number
  busy?: boolean
}

/** A button of the bar. */
export function BarButton({
  label,
  command,
  rank,
  shortcut: hint,
  icon,
  text,
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
      className="room-button"
      aria-label={text ? undefined : label}
      title={hint ? `${label} (${hint})` : label}
      aria-pressed={pressed}
      aria-expanded={expanded}
      aria-busy={busy || undefined}
      aria-keyshortcuts={hint && hint.length === 1 ? hint : undefined}
      data-off={off ? '' : undefined}
      data-tone={tone}
      data-action={command}
      data-rank={rank}
      data-hint={hint && /^[\w?]$/.test(hint) ? hint : undefined}
      onClick={onPress}
    >
      {icon}
      {text && <span>{text}</span>}
      {count !== undefined && count > 0 && <span className="room-button-count tabular">{count}</span>}
    </button>
  )
}
