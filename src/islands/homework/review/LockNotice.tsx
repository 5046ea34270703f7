import type { ReactNode } from 'react'
import { Button } from '#islands/ui/Button.tsx'
import type { ReviewI18n } from './reviewed-submission.ts'
import type { ReviewLock } from './use-review-lock.ts'

/** Names the holder of the lock when it is not the reviewer, and offers to take over. */
export function LockNotice({ lock, i18n: { t } }: { lock: ReviewLock; i18n: ReviewI18n }) {
  const { hold, holder, open } = lock
  const name = holder?.name ?? ''
  if (hold === 'held') {
    return (
      <Notice tone="warning">
        <span>{t('homework:review.held', { name })}</span>
        <Button small onClick={() => void open(true)} data-key="t" aria-keyshortcuts="T">
          {t('homework:review.takeOver')}
        </Button>
      </Notice>
    )
  }
  if (hold === 'taken') {
    return (
      <Notice tone="error">
        <span>
          <strong>{t('homework:review.taken', { name })}</strong> {t('homework:review.takenHint')}
        </span>
        <Button small onClick={() => void open(true)} data-key="t" aria-keyshortcuts="T">
          {t('homework:review.takeBack')}
        </Button>
      </Notice>
    )
  }
  if (hold === 'resting') {
    return (
      <Notice tone="warning">
        <span>{t('homework:review.resting')}</span>
        <Button small onClick={() => void open()}>
          {t('homework:review.goOn')}
        </Button>
      </Notice>
    )
  }
  if (hold === 'reading') return <Notice tone="warning">{t('homework:review.reading')}</Notice>
  return null
}

function Notice({ tone, children }: { tone: 'warning' | 'error'; children: ReactNode }) {
  return (
    <div role="alert" className="review-lock card-line" data-tone={tone}>
      {children}
    </div>
  )
}
