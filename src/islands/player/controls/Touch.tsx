import { type PointerEvent, type RefObject, useRef } from 'react'
import type { Acts } from './acts.ts'

const DOUBLE_MS = 300

interface Props {
  frame: RefObject<HTMLElement | null>
  acts: Acts
}

/** The picture itself: a click plays or pauses, two fill the screen; a finger shows the controls, two taps jump. */
export function Touch({ frame, acts }: Props) {
  const last = useRef({ at: 0, x: 0 })
  const tap = (event: PointerEvent<HTMLDivElement>) => {
    if (event.button !== 0) return
    const box = event.currentTarget.getBoundingClientRect()
    const share = (event.clientX - box.left) / box.width
    const twice = event.timeStamp - last.current.at < DOUBLE_MS && Math.abs(event.clientX - last.current.x) < 40
    last.current = { at: twice ? 0 : event.timeStamp, x: event.clientX }
    if (event.pointerType !== 'touch') {
      acts.toggle()
      if (twice) acts.full()
    } else if (twice && (share < 1 / 3 || share > 2 / 3)) acts.step(share < 1 / 2 ? -10 : 10)
    else if (frame.current?.dataset.still === undefined && !twice) hide(frame.current)
    else frame.current?.dispatchEvent(new Event('player-wake'))
    frame.current?.focus({ preventScroll: true })
  }
  return <div className="player-touch" aria-hidden="true" onPointerUp={tap} />
}

function hide(root: HTMLElement | null): void {
  const playing = root?.querySelector('video')?.paused === false
  if (root && playing) root.dataset.still = ''
}
