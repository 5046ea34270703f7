import { useStore } from '@nanostores/react'
import { type CSSProperties, lazy, Suspense, useEffect, useRef, useState } from 'react'
import type { RoomView } from '#lib/meeting/room-schema.ts'
import type { OnAir } from '#lib/workshop/session/event-schema.ts'
import { $auto, $state } from '../room.ts'
import { StageSlides } from './StageSlides.tsx'
import { StageTile } from './StageTile.tsx'
import { $place } from './stage-follow.ts'
import { columnsFor, layoutOf, seesStreams } from './stage-view.ts'
import { useWords } from './stage-words.ts'
import { useBox } from './use-box.ts'

const NOBODY: readonly OnAir[] = []
const AutoFilm = lazy(async () => ({ default: (await import('../automated/AutoFilm.tsx')).AutoFilm }))

/**
 * What everybody looks at, in one of the four modes. The elements that play stand in one list whatever the mode, so that
 * a change of mode moves pictures and never starts them anew.
 */
export function Stage({ view }: { view: RoomView }) {
  const { say } = useWords()
  const live = useStore($state) ?? view.state
  const auto = useStore($auto) ?? view.auto
  const frame = useRef<HTMLDivElement>(null)
  const box = useBox(frame)
  // The server would leave a place that has still to come, which the browser gives up with an error.
  const [alive, setAlive] = useState(false)
  useEffect(() => setAlive(true), [])
  const slides = view.slides !== null || live.slide.fileId !== null
  const place = useStore($place)
  const onAir = seesStreams(view.me.role, place, live.phase) ? live.onAir : NOBODY
  const layout = layoutOf({ mode: live.mode, onAir, slides, film: auto !== null })
  const { content, people, screen, faces } = layout
  const count = auto ? 1 : faces.length
  return (
    <div ref={frame} className="stage" data-mode={live.mode} data-content={content ?? 'none'} data-people={people}>
      {content === 'slides' && <StageSlides view={view} />}
      <div
        className="stage-people"
        style={{ '--columns': people === 'grid' ? columnsFor(Math.max(1, count), box) : 1 } as CSSProperties}
      >
        {auto && (
          <div className="tile" data-large="">
            <Suspense>{alive && <AutoFilm view={auto} say={say} />}</Suspense>
          </div>
        )}
        {faces.map((one) => (
          <StageTile key={one.stream} stream={one} view={view} />
        ))}
      </div>
      {screen && (
        <div className="stage-content">
          <StageTile key={screen.stream} stream={screen} view={view} large />
        </div>
      )}
    </div>
  )
}
