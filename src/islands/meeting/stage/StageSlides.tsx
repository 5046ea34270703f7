import { useStore } from '@nanostores/react'
import { useEffect, useRef, useState } from 'react'
import { Button } from '#islands/ui/Button.tsx'
import type { RoomView } from '#lib/meeting/room-schema.ts'
import { $page, $slides, loadSlides } from './stage-slides.ts'
import { fitInto } from './stage-view.ts'
import { useWords } from './stage-words.ts'
import { useBox } from './use-box.ts'

/** The page of the slides that everybody sees, as large as its place allows. */
export function StageSlides({ view }: { view: RoomView }) {
  const { say } = useWords()
  const place = useRef<HTMLDivElement>(null)
  const { slides, state } = useStore($slides)
  const page = useStore($page)
  useEffect(() => loadSlides(view), [view])
  return (
    <div className="stage-content" ref={place}>
      {slides && (
        <SlidePage place={place} page={page} label={say('stage:slides.page', { page, pages: slides.pages })} />
      )}
      {state === 'loading' && (
        <span className="loading loading-spinner" role="status" aria-label={say('stage:slides.loading')} />
      )}
      {state === 'failed' && (
        <div className="tile-state" role="alert">
          <p>{say('stage:slides.failed')}</p>
          <Button small className="mt-2" onClick={() => loadSlides(view, true)}>
            {say('stage:again')}
          </Button>
        </div>
      )}
    </div>
  )
}

interface PageProps {
  place: React.RefObject<HTMLElement | null>
  page: number
  label: string
}

/** One page on a canvas, drawn anew when its place changes its size. */
export function SlidePage({ place, page, label }: PageProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const box = useBox(place)
  const { slides } = useStore($slides)
  const [ratio, setRatio] = useState(16 / 9)
  const shown = slides ? Math.min(page, slides.pages) : page
  const { width, height } = fitInto(ratio, box)

  useEffect(() => {
    let here = true
    void slides?.ratio(shown).then((found) => here && setRatio(1 / found))
    return () => {
      here = false
    }
  }, [slides, shown])

  useEffect(() => {
    if (slides && canvas.current && width > 0) void slides.draw(shown, canvas.current, { width }).catch(() => undefined)
  }, [slides, shown, width])

  return <canvas ref={canvas} role="img" aria-label={label} data-page={shown} style={{ width, height }} />
}
