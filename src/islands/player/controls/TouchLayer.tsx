import { type PointerEvent, type RefObject, useRef } from 'react'
import type { PlayerActions } from './actions.ts'

const DOUBLE_MS = 300

interface Props {
  frame: RefObject<HTMLElement | null>
  actions: PlayerActions
}

/**
 * The video surface: a click plays or pauses, a double click toggles full screen; a touch shows the controls, a double
 * tap seeks.
 */
export function TouchLayer({ frame, actions }: Props) {
  const lastTap = useRef({ at: 0, x: 0 })
  const onPointerUp = (event: PointerEvent<HTMLDivElement>) => {
    if (event.button !== 0) return
    const box = event.currentTarget.getBoundingClientRect()
    const share = (event.clientX - box.left) / box.width
    const isDoubleTap =
      event.timeStamp - lastTap.current.at < DOUBLE_MS && Math.abs(event.clientX - lastTap.current.x) < 40
    lastTap.current = { at: isDoubleTap ? 0 : event.timeStamp, x: event.clientX }
    if (event.pointerType !== 'touch') {
      actions.togglePlay()
      if (isDoubleTap) actions.toggleFullscreen()
    } else if (isDoubleTap && (share < 1 / 3 || share > 2 / 3)) actions.seekBy(share < 1 / 2 ? -10 : 10)
    else if (frame.current?.dataset.still === undefined && !isDoubleTap) hideControls(frame.current)
    else frame.current?.dispatchEvent(new Event('player-wake'))
    frame.current?.focus({ preventScroll: true })
  }
  return <div className="player-touch" aria-hidden="true" onPointerUp={onPointerUp} />
}

function hideControls(root: HTMLElement | null): void {
  const playing = root?.querySelector('video')?.paused === false
  if (root && playing) root.dataset.still = ''
}
