import { ProgressBar } from '#islands/ui/Progress.tsx'
import type { Say } from '#lib/core/shared/text/strings.ts'
import type { PlaybackView } from '#lib/storage/schema.ts'

/** Nothing to play yet: what is being done, how far it is, and that nobody has to reload. */
export function Making({ view, say }: { view: PlaybackView; say: Say }) {
  const { state, progress } = view.making ?? { state: 'queued', progress: 0 }
  const broken = state === 'failed'
  const doing = state === 'queued' || state === 'processing' ? state : 'encoding'
  return (
    <section className="player-making card-line" role={broken ? 'alert' : 'status'}>
      <p className="font-semibold">{say(broken ? 'player:making.broken' : 'player:making.title')}</p>
      <p className="text-muted text-sm">{view.name}</p>
      <p>{broken ? say('player:making.brokenHint') : say(`player:making.${doing}`)}</p>
      {!broken && (
        <>
          <ProgressBar
            share={progress / 100}
            label={say('player:making.progress')}
            remains={`${Math.round(progress)} %`}
          />
          <p className="text-muted text-sm">{say('player:making.stay')}</p>
        </>
      )}
    </section>
  )
}
