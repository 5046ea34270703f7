import { useStore } from '@nanostores/react'
import { useEffect, useRef } from 'react'
import type { SlideDeck } from '#islands/broadcast/slides.ts'
import type { RoomView } from '#lib/meeting/room-schema.ts'
import { useTranslation } from '../translation.ts'
import { $page, $slides, showPage } from './stage-slides.ts'

/** Thumbnails of all pages; a click shows the page to all participants. */
export function SlideThumbnails(_: { view: RoomView }) {
  const { t } = useTranslation()
  const { slides } = useStore($slides)
  const page = useStore($page)
  if (!slides) return <p>{t('stage:slides.none')}</p>
  return (
    <>
      <p className="mb-3">
        <a className="still-link" href="?view=presenter" target="_blank" rel="noopener">
          {t('stage:presenter.open')}
        </a>
      </p>
      <ol className="thumbs">
        {Array.from({ length: slides.pageCount }, (_page, index) => index + 1).map((number) => (
          <li key={number}>
            <Thumbnail slides={slides} number={number} now={number === page} />
          </li>
        ))}
      </ol>
    </>
  )
}

const THUMBNAIL_WIDTH_PX = 150

function Thumbnail({ slides, number, now }: { slides: SlideDeck; number: number; now: boolean }) {
  const { t } = useTranslation()
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    const { current: element } = canvas
    if (!element) return undefined
    // Thumbnails are rendered when they become visible, because there may be a hundred.
    const observer = new IntersectionObserver(([entry]) => {
      if (!entry?.isIntersecting) return
      observer.disconnect()
      void slides.draw(number, element, { width: THUMBNAIL_WIDTH_PX }).catch(() => undefined)
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [slides, number])
  return (
    <button
      type="button"
      className="thumb w-full"
      aria-current={now || undefined}
      aria-label={t('stage:slides.show', { page: number })}
      onClick={() => showPage(number)}
    >
      <canvas ref={canvas} width={160} height={90} />
      <span className="tabular text-xs" aria-hidden="true">
        {number}
      </span>
    </button>
  )
}
