import { useStore } from '@nanostores/react'
import { useEffect, useRef } from 'react'
import type { Slides } from '#islands/broadcast/slides.ts'
import type { RoomView } from '#lib/meeting/room-schema.ts'
import { $page, $slides, turnTo } from './stage-slides.ts'
import { useWords } from './stage-words.ts'

/** All pages small; a press shows one to everybody. */
export function RoomThumbs(_: { view: RoomView }) {
  const { say } = useWords()
  const { slides } = useStore($slides)
  const page = useStore($page)
  if (!slides) return <p>{say('stage:slides.none')}</p>
  return (
    <>
      <p className="mb-3">
        <a className="still-link" href="?view=presenter" target="_blank" rel="noopener">
          {say('stage:presenter.open')}
        </a>
      </p>
      <ol className="thumbs">
        {Array.from({ length: slides.pages }, (_page, index) => index + 1).map((number) => (
          <li key={number}>
            <Thumb slides={slides} number={number} now={number === page} />
          </li>
        ))}
      </ol>
    </>
  )
}

const WIDTH = 150

function Thumb({ slides, number, now }: { slides: Slides; number: number; now: boolean }) {
  const { say } = useWords()
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    const { current: target } = canvas
    if (!target) return undefined
    // A hundred pages are drawn as they come into sight.
    const watch = new IntersectionObserver(([entry]) => {
      if (!entry?.isIntersecting) return
      watch.disconnect()
      void slides.draw(number, target, { width: WIDTH }).catch(() => undefined)
    })
    watch.observe(target)
    return () => watch.disconnect()
  }, [slides, number])
  return (
    <button
      type="button"
      className="thumb w-full"
      aria-current={now || undefined}
      aria-label={say('stage:slides.show', { page: number })}
      onClick={() => turnTo(number)}
    >
      <canvas ref={canvas} width={160} height={90} />
      <span className="tabular text-xs" aria-hidden="true">
        {number}
      </span>
    </button>
  )
}
