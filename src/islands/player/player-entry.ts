import { onPage } from '#islands/stores/page.ts'
import { speak } from '#lib/core/shared/text/strings.ts'
import type { PlayerProps } from './player-props.ts'
import { startOf } from './start.ts'
import { wordsOf } from './view.ts'

/*
 * A recording on a page is a picture and a button. React, the controls and hls.js weigh more than the page: they are
 * fetched when a pointer, a finger or the keyboard comes near, and take the picture's place when the button is pressed.
 */
const NEAR = ['pointerenter', 'touchstart', 'focusin'] as const

onPage(() => {
  const since = Date.now()
  const ends: (() => void)[] = []
  for (const place of document.querySelectorAll<HTMLElement>('[data-player]')) {
    const props: PlayerProps = { ...JSON.parse(place.dataset.player ?? ''), since }
    prepare(place, props, (end) => ends.push(end))
  }
  return () => {
    for (const end of ends) end()
  }
})

function prepare(place: HTMLElement, props: PlayerProps, atEnd: (end: () => void) => void): void {
  const start = place.querySelector<HTMLButtonElement>('[data-start]')
  const media = place.querySelector('video, audio')
  const mount = async () => {
    const { mountPlayer } = await import('./Mount.tsx')
    atEnd(await mountPlayer(place, props))
  }
  // Nothing to press yet: the player waits for what is being made.
  if (!start || !(media instanceof HTMLMediaElement)) return void mount()
  // Somebody was faster than the script.
  if (!media.paused) return
  media.controls = false
  start.hidden = false
  const words = start.querySelector('[data-words]')
  if (words) words.textContent = wordsOf(speak(props.strings, props.locale), props.view, startOf(props.view))
  const warm = () => void import('./Mount.tsx').then(({ warmPlayer }) => warmPlayer(props))
  for (const sign of NEAR) place.addEventListener(sign, warm, { once: true, passive: true })
  start.addEventListener(
    'click',
    () => {
      start.setAttribute('aria-busy', 'true')
      mount().catch(() => start.removeAttribute('aria-busy'))
    },
    { once: true },
  )
}
