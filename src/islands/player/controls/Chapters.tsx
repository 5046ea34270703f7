import { formatClock } from '#lib/core/shared/text/clock.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import type { PlaybackView } from '#lib/storage/schema.ts'
import type { Media } from '../use-media.ts'
import type { PlayerActions } from './actions.ts'
import { Panel } from './Panel.tsx'

interface Props {
  state: Media
  actions: PlayerActions
  view: PlaybackView
  t: Translate
  close: () => void
}

export function Chapters({ state, actions, view, t, close }: Props) {
  const currentChapter = view.chapters.findLast(({ at }) => at <= (state.mediaCurrentTime ?? 0))
  return (
    <Panel label={t('player:chapters')} close={close}>
      <ol className="player-chapters">
        {view.chapters.map((chapter) => (
          <li key={chapter.at}>
            <button
              type="button"
              aria-current={chapter === currentChapter || undefined}
              onClick={() => {
                actions.seek(chapter.at)
                close()
              }}
            >
              <span className="tabular">{formatClock(chapter.at)}</span>
              <span>{chapter.title}</span>
            </button>
          </li>
        ))}
      </ol>
    </Panel>
  )
}
