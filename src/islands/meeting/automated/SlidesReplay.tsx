import { useEffect, useRef, useState } from 'react'
import type { Slides } from '#islands/broadcast/slides.ts'
import { asIsland } from '#islands/mount/as-island.ts'
import type { ReplaySlides } from '#lib/meeting/recording/schema.ts'
import { fitInto } from '../stage/stage-view.ts'
import { useBox } from '../stage/use-box.ts'
import { turnAt } from './slide-turns.ts'
import { useFilm } from './use-film.ts'

export default asIsland('replaySlides', SlidesReplay)

interface Props {
  slides: ReplaySlides
  label: string
  /** Said in place of slides that cannot be loaded. */
  missing: string
}

/** The slides as they were, page by page at its second of the film. */
function SlidesReplay({ slides: { documents, turns }, label, missing }: Props) {
  const ms = useFilm()
  const { fileId, page } = turnAt(turns, ms)
  const address = (fileId && documents[fileId]) || null
  const place = useRef<HTMLElement>(null)
  const { slides, failed } = useDocument(address)
  return (
    <figure
      ref={place}
      className="m-0 grid aspect-video w-full place-items-center overflow-hidden rounded-box bg-[oklch(11%_0.01_260)]"
      hidden={address === null}
      aria-label={label}
    >
      {slides && <Page slides={slides} page={Math.min(page, slides.pages)} place={place} label={`${label}: ${page}`} />}
      {failed && (
        <p role="status" className="p-4 text-center text-[oklch(97%_0.004_90)]">
          {missing}
        </p>
      )}
    </figure>
  )
}

function useDocument(address: string | null): { slides: Slides | null; failed: boolean } {
  const [opened, setOpened] = useState<{ slides: Slides | null; failed: boolean }>({ slides: null, failed: false })
  useEffect(() => {
    let here = true
    let mine: Slides | null = null
    setOpened({ slides: null, failed: false })
    if (address) {
      import('#islands/broadcast/slides.ts')
        .then(({ openSlides }) => openSlides(address))
        .then((slides) => {
          mine = slides
          if (here) setOpened({ slides, failed: false })
          else slides.close()
        })
        .catch(() => here && setOpened({ slides: null, failed: true }))
    }
    return () => {
      here = false
      mine?.close()
    }
  }, [address])
  return opened
}

interface PageProps {
  slides: Slides
  page: number
  place: React.RefObject<HTMLElement | null>
  label: string
}

function Page({ slides, page, place, label }: PageProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const box = useBox(place)
  const [ratio, setRatio] = useState(16 / 9)
  const { width, height } = fitInto(ratio, box)
  useEffect(() => {
    let here = true
    slides.ratio(page).then(
      (found) => here && setRatio(1 / found),
      () => undefined,
    )
    return () => {
      here = false
    }
  }, [slides, page])
  useEffect(() => {
    if (canvas.current && width > 0) void slides.draw(page, canvas.current, { width }).catch(() => undefined)
  }, [slides, page, width])
  return <canvas ref={canvas} role="img" aria-label={label} data-page={page} style={{ width, height }} />
}
