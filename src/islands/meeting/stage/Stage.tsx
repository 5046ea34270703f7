import { useStore } from '@nanostores/react'
import { type CSSProperties, lazy, Suspense, useEffect, useRef, useState } from 'react'
import type { RoomView } from '#lib/meeting/room-schema.ts'
import type { LiveStream } from '#lib/workshop/session/event-schema.ts'
import { AutoLine } from '../automated/AutoLine.tsx'
import { $autoView, $state } from '../room.ts'
import { useTranslation } from '../translation.ts'
import { StageSlides } from './StageSlides.tsx'
import { StageTile } from './StageTile.tsx'
import { canSeeStreams, computeLayout, countColumns } from './stage-layout.ts'
import { $stagePlace } from './stage-place.ts'
import { useElementSize } from './use-element-size.ts'

const NO_STREAMS: readonly LiveStream[] = []
const AutoVideo = lazy(async () => ({ default: (await import('../automated/AutoVideo.tsx')).AutoVideo }))

/**
 * The stage in one of the four presentation modes. Video elements keep their position in the tree in every mode, so that
 * a change of mode moves them without restarting playback.
 */
export function Stage({ view }: { view: RoomView }) {
  const { t } = useTranslation()
  const state = useStore($state) ?? view.state
  const auto = useStore($autoView) ?? view.auto
  const frame = useRef<HTMLDivElement>(null)
  const size = useElementSize(frame)
  // A lazy component in server HTML leaves a pending Suspense boundary, which fails at hydration.
  const [isHydrated, setIsHydrated] = useState(false)
  useEffect(() => setIsHydrated(true), [])
  const hasSlides = view.slides !== null || state.slide.fileId !== null
  const place = useStore($stagePlace)
  const onAir = canSeeStreams(view.me.role, place, state.phase) ? state.onAir : NO_STREAMS
  const layout = computeLayout({ mode: state.mode, onAir, hasSlides, hasVideo: auto !== null })
  const { content, people, screen, tiles } = layout
  const count = auto ? 1 : tiles.length
  return (
    <div ref={frame} className="stage" data-mode={state.mode} data-content={content ?? 'none'} data-people={people}>
      {content === 'slides' && <StageSlides view={view} />}
      <div
        className="stage-people"
        style={{ '--columns': people === 'grid' ? countColumns(Math.max(1, count), size) : 1 } as CSSProperties}
      >
        {auto && (
          <div className="tile" data-large="">
            <Suspense>{isHydrated && <AutoVideo view={auto} t={t} />}</Suspense>
          </div>
        )}
        {tiles.map((stream) => (
          <StageTile key={stream.stream} stream={stream} view={view} />
        ))}
      </div>
      {auto && <AutoLine view={auto} t={t} />}
      {screen && (
        <div className="stage-content">
          <StageTile key={screen.stream} stream={screen} view={view} isLarge />
        </div>
      )}
    </div>
  )
}
