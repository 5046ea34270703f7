import type { Say } from '#lib/core/shared/text/strings.ts'
import type { PlaybackView } from '#lib/storage/schema.ts'
import { clock } from '../time.ts'
import type { Media } from '../use-media.ts'
import type { Acts } from './acts.ts'
import { Panel } from './Panel.tsx'

interface Props {
  state: Media
  acts: Acts
  view: PlaybackView
  say: Say
  close: () => void
}

export function Chapters({ state, acts, view, say, close }: Props) {
  const now = view.chapters.findLast(({ at }) => at <= (state.mediaCurrentTime ?? 0))
  return (
    <Panel label={say('player:chapters')} close={close}>
      <ol className="player-chapters">
        {view.chapters.map((chapter) => (
          <li key={chapter.at}>
            <button
              type="button"
              aria-current={chapter === now || undefined}
              onClick={() => {
                acts.seek(chapter.at)
                close()
              }}
            >
              <span className="tabular">{clock(chapter.at)}</span>
              <span>{chapter.title}</span>
            </button>
          </li>
        ))}
      </ol>
    </Panel>
  )
}
