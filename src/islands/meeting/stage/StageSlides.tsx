import { useStore } from '@nanostores/react'
import { useEffect, useRef, useState } from 'react'
import { Button } from '#islands/ui/Button.tsx'
import type { RoomView } from '#lib/meeting/room-schema.ts'
import { useTranslation } from '../translation.ts'
import { fitToBox } from './stage-layout.ts'
import { $page, $slides, useSlides } from './stage-slides.ts'
import { useElementSize } from './use-element-size.ts'

/** The shown slide, as large as its container allows. */
export function StageSlides({ view }: { view: RoomView }) {
  const { t } = useTranslation()
  const place = useRef<HTMLDivElement>(null)
  const { slides, state } = useStore($slides)
  const page = useStore($page)
  const retry = useSlides(view)
  return (
    <div className="stage-content" ref={place}>
      {slides && (
        <SlidePage place={place} page={page} label={t('stage:slides.page', { page, pages: slides.pageCount })} />
      )}
      {state === 'loading' && (
        <span className="loading loading-spinner" role="status" aria-label={t('stage:slides.loading')} />
      )}
      {state === 'failed' && (
        <div className="tile-state" role="alert">
          <p>{t('stage:slides.failed')}</p>
          <Button small className="mt-2" onClick={retry}>
            {t('stage:again')}
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

/** One page on a canvas, rendered again when the container is resized. */
export function SlidePage({ place, page, label }: PageProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const size = useElementSize(place)
  const { slides } = useStore($slides)
  const [ratio, setRatio] = useState(16 / 9)
  const shownPage = slides ? Math.min(page, slides.pageCount) : page
  const { width, height } = fitToBox(ratio, size)

  useEffect(() => {
    let isMounted = true
    void slides?.ratio(shownPage).then((pageRatio) => isMounted && setRatio(1 / pageRatio))
    return () => {
      isMounted = false
    }
  }, [slides, shownPage])

  useEffect(() => {
    if (slides && canvas.current && width > 0)
      void slides.draw(shownPage, canvas.current, { width }).catch(() => undefined)
  }, [slides, shownPage, width])

  return <canvas ref={canvas} role="img" aria-label={label} data-page={shownPage} style={{ width, height }} />
}
