import { onPage } from '#islands/stores/page.ts'
import { createTranslator } from '#lib/core/shared/text/strings.ts'
import type { PlayerProps } from './player-props.ts'
import { startPosition } from './start-position.ts'
import { startLabel } from './view.ts'

/*
 * Media on a page is a poster with a button. React, the controls and hls.js are loaded when the pointer, a touch or the
 * focus is near, and replace the poster on click.
 */
const PRELOAD_EVENTS = ['pointerenter', 'touchstart', 'focusin'] as const

onPage(() => {
  const since = Date.now()
  const cleanups: (() => void)[] = []
  for (const container of document.querySelectorAll<HTMLElement>('[data-player]')) {
    const props: PlayerProps = { ...JSON.parse(container.dataset.player ?? ''), viewCreatedAtMs: since }
    preparePlayer(container, props, (end) => cleanups.push(end))
  }
  return () => {
    for (const end of cleanups) end()
  }
})

function preparePlayer(container: HTMLElement, props: PlayerProps, addCleanup: (end: () => void) => void): void {
  const start = container.querySelector<HTMLButtonElement>('[data-start]')
  const media = container.querySelector('video, audio')
  const mount = async () => {
    const { mountPlayer } = await import('./PlayerMount.tsx')
    addCleanup(await mountPlayer(container, props))
  }
  // Nothing to click yet: the player waits for the encoding.
  if (!start || !(media instanceof HTMLMediaElement)) return void mount()
  // Playback was started before the script ran.
  if (!media.paused) return
  media.controls = false
  start.hidden = false
  const label = start.querySelector('[data-words]')
  if (label)
    label.textContent = startLabel(createTranslator(props.strings, props.locale), props.view, startPosition(props.view))
  const preload = () => void import('./PlayerMount.tsx').then(({ preloadPlayer }) => preloadPlayer(props))
  for (const eventName of PRELOAD_EVENTS) container.addEventListener(eventName, preload, { once: true, passive: true })
  start.addEventListener(
    'click',
    () => {
      start.setAttribute('aria-busy', 'true')
      mount().catch(() => start.removeAttribute('aria-busy'))
    },
    { once: true },
  )
}
