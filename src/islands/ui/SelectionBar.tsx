import { X } from 'lucide-react'
import type { MenuAction } from './ActionMenu.tsx'
import { Button } from './Button.tsx'

interface Props {
  /** The class by which the stylesheet of the list positions the bar. */
  place: 'file-selection' | 'outline-selection'
  /** The accessible name of the bar. */
  label: string
  /** The number of selected items, as text. */
  summary: string
  actions: readonly MenuAction[]
  clearLabel: string
  onClear: () => void
}

/** The actions for the selected items of a list; positioned by the stylesheet of that list. */
export function SelectionBar({ place, label, summary, actions, clearLabel, onClear }: Props) {
  return (
    <section className={`${place} floating`} aria-label={label}>
      <p role="status" className="px-1 font-semibold tabular-nums">
        {summary}
      </p>
      <div className="selection-actions">
        {actions.map(({ key, label: actionLabel, danger, run }) => (
          <Button key={key} small tone="quiet" className={danger ? 'text-error' : ''} onClick={run}>
            {actionLabel}
          </Button>
        ))}
      </div>
      <Button
        small
        tone="quiet"
        className="btn-square"
        aria-label={clearLabel}
        icon={<X size={16} strokeWidth={1.75} aria-hidden="true" />}
        onClick={onClear}
      />
    </section>
  )
}
