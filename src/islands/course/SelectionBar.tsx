import { X } from 'lucide-react'
import type { MenuAction } from '#islands/ui/ActionMenu.tsx'
import { Button } from '#islands/ui/Button.tsx'
import type { Translate } from '#lib/core/shared/text/strings.ts'

interface Props {
  t: Translate
  count: number
  actions: readonly MenuAction[]
  onClear: () => void
}

/** Shows the number of selected lessons and the actions on them. */
export function SelectionBar({ t, count, actions, onClear }: Props) {
  return (
    <section className="selection-bar floating" aria-label={t('outline:chosenActs')}>
      <p role="status" className="px-1 font-semibold tabular-nums">
        {t('outline:chosen', { count })}
      </p>
      <div className="selection-actions">
        {actions.map(({ key, label, danger, run }) => (
          <Button key={key} small tone="quiet" className={danger ? 'text-error' : ''} onClick={run}>
            {label}
          </Button>
        ))}
      </div>
      <Button
        small
        tone="quiet"
        className="btn-square"
        aria-label={t('outline:clear')}
        icon={<X size={16} strokeWidth={1.75} aria-hidden="true" />}
        onClick={onClear}
      />
    </section>
  )
}
