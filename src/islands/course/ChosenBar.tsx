import { X } from 'lucide-react'
import type { Act } from '#islands/ui/ActMenu.tsx'
import { Button } from '#islands/ui/Button.tsx'
import type { Say } from '#lib/core/shared/text/strings.ts'

interface Props {
  say: Say
  count: number
  acts: readonly Act[]
  onClear: () => void
}

/** How many lessons are chosen, and what can be done with all of them. */
export function ChosenBar({ say, count, acts, onClear }: Props) {
  return (
    <section className="chosen-bar floating" aria-label={say('outline:chosenActs')}>
      <p role="status" className="px-1 font-semibold tabular-nums">
        {say('outline:chosen', { count })}
      </p>
      <div className="chosen-acts">
        {acts.map(({ key, label, danger, run }) => (
          <Button key={key} small tone="quiet" className={danger ? 'text-error' : ''} onClick={run}>
            {label}
          </Button>
        ))}
      </div>
      <Button
        small
        tone="quiet"
        className="btn-square"
        aria-label={say('outline:clear')}
        icon={<X size={16} strokeWidth={1.75} aria-hidden="true" />}
        onClick={onClear}
      />
    </section>
  )
}
