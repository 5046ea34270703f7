import { ProgressBar } from '#islands/ui/Progress.tsx'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import type { PlaybackView } from '#lib/storage/schema.ts'

/** Shown while nothing can be played yet: the current step and its progress, and that no reload is needed. */
export function TranscodingStatus({ view, t }: { view: PlaybackView; t: Translate }) {
  const { state, progress } = view.processing ?? { state: 'queued', progress: 0 }
  const hasFailed = state === 'failed'
  const step = state === 'queued' || state === 'processing' ? state : 'encoding'
  return (
    <section className="player-processing card-line" role={hasFailed ? 'alert' : 'status'}>
      <p className="font-semibold">{t(hasFailed ? 'player:making.broken' : 'player:making.title')}</p>
      <p className="text-muted text-sm">{view.name}</p>
      <p>{hasFailed ? t('player:making.brokenHint') : t(`player:making.${step}`)}</p>
      {!hasFailed && (
        <>
          <ProgressBar
            share={progress / 100}
            label={t('player:making.progress')}
            remaining={`${Math.round(progress)} %`}
          />
          <p className="text-muted text-sm">{t('player:making.stay')}</p>
        </>
      )}
    </section>
  )
}
