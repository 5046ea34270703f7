import { formatTime } from '#lib/core/shared/locale.ts'
import { formatClock } from '#lib/core/shared/text/clock.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import type { AttemptProps } from './attempt-props.ts'

const TICK_MS = 250
/** Announced to screen readers when this many seconds are left. */
const ANNOUNCED = [
  [600, 'attempt:timer.left10min'],
  [60, 'attempt:timer.left1min'],
  [10, 'attempt:timer.left10s'],
] as const

export interface AttemptClock {
  /** Below 0 after the deadline; infinite without one. */
  secondsLeft(): number
  /** Sets the time by the server's clock; `deadlineAt` may have been moved. */
  set(time: { now: string; deadlineAt: string | null }): void
  stop(): void
}

interface ClockContext {
  root: HTMLElement
  t: Translate
  announce(text: string): void
  /** The time limit is reached. */
  onDeadline(): void
}

/**
 * Counts down the remaining time by the server's clock. The clock of the device has no influence: the time since the
 * server's response is measured by the monotonic clock.
 */
export function startClock(
  { now, deadlineAt, timeZone, locale }: AttemptProps,
  { root, t, announce, onDeadline }: ClockContext,
): AttemptClock {
  let deadline = deadlineAt === null ? null : Date.parse(deadlineAt)
  // The server's time minus the time of `performance`.
  let offset = Date.parse(now) - performance.now()
  let leftBefore = Number.POSITIVE_INFINITY
  let isOver = false
  const place = root.querySelector<HTMLElement>('[data-left]')
  const clock = root.querySelector<HTMLElement>('[data-clock]')
  const until = root.querySelector<HTMLElement>('[data-until]')

  const secondsLeft = () =>
    deadline === null ? Number.POSITIVE_INFINITY : (deadline - (performance.now() + offset)) / 1000
  const tick = () => {
    if (deadline === null) return
    const left = secondsLeft()
    if (clock) clock.textContent = formatLeft(left)
    for (const [seconds, key] of ANNOUNCED)
      if (leftBefore > seconds && left <= seconds && left > seconds - 5) announce(t(key))
    leftBefore = left
    if (left > 0 || isOver) return
    isOver = true
    onDeadline()
  }
  if (deadline !== null) {
    place?.removeAttribute('hidden')
    until?.classList.add('sr-only')
  }
  const timer = setInterval(tick, TICK_MS)
  tick()
  return {
    secondsLeft,
    set(time) {
      offset = Date.parse(time.now) - performance.now()
      const next = time.deadlineAt === null ? null : Date.parse(time.deadlineAt)
      if (next !== null && deadline !== null && next > deadline) {
        announce(t('attempt:timer.granted', { time: formatTime(new Date(next), timeZone, locale) }))
        isOver = false
        leftBefore = Number.POSITIVE_INFINITY
      }
      deadline = next
      tick()
    },
    stop: () => clearInterval(timer),
  }
}

/** The remaining time, so that `0:00` is shown only when it is over. */
export const formatLeft = (seconds: number): string => formatClock(Math.ceil(seconds))
