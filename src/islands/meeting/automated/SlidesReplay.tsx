import { useEffect, useRef, useState } from 'react'
import type { SlideDeck } from '#islands/broadcast/slides.ts'
import { asIsland } from '#islands/mount/as-island.ts'
import type { ReplaySlides } from '#lib/meeting/recording/schema.ts'
import { fitToBox } from '../stage/stage-layout.ts'
import { useElementSize } from '../stage/use-element-size.ts'
import { slideAt } from './slide-at.ts'
import { useVideoPosition } from './use-video-position.ts'

export default asIsland('replaySlides', SlidesReplay)

interface Props {
  slides: ReplaySlides
  label: string
  /** Shown in place of slides that cannot be loaded. */
  missingText: string
}

/** The slides of the event, synchronized with the position of the recording. */
function SlidesReplay({ slides: { documents, turns }, label, missingText }: Props) {
  const positionMs = useVideoPosition()
  const { fileId, page } = slideAt(turns, positionMs)
  const address = (fileId && documents[fileId]) || null
  const frame = useRef<HTMLElement>(null)
  const { slides, failed } = useSlides(address)
  return (
    <figure
      ref={frame}
      className="m-0 grid aspect-video w-full place-items-center overflow-hidden rounded-box bg-[oklch(11%_0.01_260)]"
      hidden={address === null}
      aria-label={label}
    >
      {slides && (
        <SlidePage slides={slides} page={Math.min(page, slides.pageCount)} place={frame} label={`${label}: ${page}`} />
      )}
      {failed && (
        <p role="status" className="p-4 text-center text-[oklch(97%_0.004_90)]">
          {missingText}
        </p>
      )}
    </figure>
  )
}

function useSlides(address: string | null): { slides: SlideDeck | null; failed: boolean } {
  const [opened, setOpened] = useState<{ slides: SlideDeck | null; failed: boolean }>({ slides: null, failed: false })
  useEffect(() => {
    let isMounted = true
    let ownSlides: SlideDeck | null = null
    setOpened({ slides: null, failed: false })
    if (address) {
      import('#islands/broadcast/slides.ts')
        .then(({ openSlideDeck: openSlides }) => openSlides(address))
        .then((slides) => {
          ownSlides = slides
          if (isMounted) setOpened({ slides, failed: false })
          else slides.close()
        })
        .catch(() => isMounted && setOpened({ slides: null, failed: true }))
    }
    return () => {
      isMounted = false
      ownSlides?.close()
    }
  }, [address])
  return opened
}

interface PageProps {
  slides: SlideDeck
  page: number
  place: React.RefObject<HTMLElement | null>
  label: string
}

function SlidePage({ slides, page, place, label }: PageProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const size = useElementSize(place)
  const [ratio, setRatio] = useState(16 / 9)
  const { width, height } = fitToBox(ratio, size)
  useEffect(() => {
    let isMounted = true
    slides.ratio(page).then(
      (pageRatio) => isMounted && setRatio(1 / pageRatio),
      () => undefined,
    )
    return () => {
      isMounted = false
    }
  }, [slides, page])
  useEffect(() => {
    if (canvas.current && width > 0) void slides.draw(page, canvas.current, { width }).catch(() => undefined)
  }, [slides, page, width])
  return <canvas ref={canvas} role="img" aria-label={label} data-page={page} style={{ width, height }} />
}
