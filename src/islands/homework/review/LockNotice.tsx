import type { ReactNode } from 'react'
import { Button } from '#islands/ui/Button.tsx'
import type { DeskWords } from './reviewed-submission.ts'
import type { DeskState } from './use-review-lock.ts'

/** Who holds the work, where that is not as it should be, and what can be done about it. */
export function DeskHold({ desk, words: { t } }: { desk: DeskState; words: DeskWords }) {
  const { hold, holder, open } = desk
  const name = holder?.name ?? ''
  if (hold === 'held') {
    return (
      <Line tone="warning">
        <span>{t('homework:desk.held', { name })}</span>
        <Button small onClick={() => void open(true)} data-key="t" aria-keyshortcuts="T">
          {t('homework:desk.takeOver')}
        </Button>
      </Line>
    )
  }
  if (hold === 'taken') {
    return (
      <Line tone="error">
        <span>
          <strong>{t('homework:desk.taken', { name })}</strong> {t('homework:desk.takenHint')}
        </span>
        <Button small onClick={() => void open(true)} data-key="t" aria-keyshortcuts="T">
          {t('homework:desk.takeBack')}
        </Button>
      </Line>
    )
  }
  if (hold === 'resting') {
    return (
      <Line tone="warning">
        <span>{t('homework:desk.resting')}</span>
        <Button small onClick={() => void open()}>
          {t('homework:desk.goOn')}
        </Button>
      </Line>
    )
  }
  if (hold === 'reading') return <Line tone="warning">{t('homework:desk.reading')}</Line>
  return null
}

function Line({ tone, children }: { tone: 'warning' | 'error'; children: ReactNode }) {
  return (
    <div role="alert" className="desk-hold card-line" data-tone={tone}>
      {children}
    </div>
  )
}
