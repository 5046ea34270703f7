import { writeCookie } from '#islands/stores/cookies.ts'
import { documentCookies } from '#islands/stores/document-cookies.ts'
import { clearFailure } from '#islands/stores/failure.ts'
import { onPage } from '#islands/stores/page.ts'
import { prepareReactRefresh } from '#islands/stores/react-refresh.ts'
import { YEAR_SECONDS } from '#lib/core/shared/time.ts'
import './clear-lesson-cache.ts'
import './shortcuts-dialog.ts'
import './client-router.ts'
import { renderFailure, renderSpinner } from './busy.ts'
import { renderNotices } from './toasts.ts'

onPage(() => {
  initMenuToggle(document.querySelector('[data-cabinet]'), document.querySelector('[data-menu-turn]'))
  initSearchButton(document.querySelector('[data-command-open]'))
})

/** Only one <details data-fold> is open; a click elsewhere or Esc closes it and restores the focus. */
document.addEventListener('click', (event) => {
  for (const fold of openFolds()) if (!(event.target instanceof Node && fold.contains(event.target))) fold.open = false
})
document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') closeTopFold()
  if (event.key.toLowerCase() === 'k' && (event.metaKey || event.ctrlKey)) {
    event.preventDefault()
    void openCommands()
  }
})

// These elements persist over client-side navigation.
renderNotices(document.querySelector<HTMLElement>('#toasts'))
renderSpinner(document.querySelector<HTMLElement>('#waiting'))
renderFailure(document.querySelector<HTMLElement>('#failure'))
window.addEventListener('pageshow', clearFailure)

function initMenuToggle(frame: HTMLElement | null, toggle: HTMLButtonElement | null): void {
  if (!frame || !toggle) return
  toggle.hidden = false
  toggle.addEventListener('click', () => {
    const narrow = frame.dataset.menu !== 'narrow'
    frame.dataset.menu = narrow ? 'narrow' : 'wide'
    toggle.setAttribute('aria-expanded', String(!narrow))
    const labelElement = toggle.querySelector('.menu-label')
    if (labelElement) labelElement.textContent = (narrow ? toggle.dataset.expand : toggle.dataset.collapse) ?? ''
    writeCookie(documentCookies, 'menu', narrow ? 'narrow' : 'wide', YEAR_SECONDS)
  })
}

function initSearchButton(search: HTMLButtonElement | null): void {
  if (!search) return
  search.hidden = false
  search.addEventListener('click', () => void openCommands())
  const key = search.querySelector('kbd')
  if (key && !/Mac|iPhone|iPad/.test(navigator.userAgent)) key.textContent = 'Ctrl K'
}

async function openCommands() {
  prepareReactRefresh()
  const { openCommandMenu } = await import('./CommandCenter.tsx')
  openCommandMenu(document.querySelector<HTMLElement>('#command-center'))
}

const openFolds = () => document.querySelectorAll<HTMLDetailsElement>('details[data-fold][open]')

function closeTopFold() {
  const fold = [...openFolds()].at(-1)
  if (!fold) return
  fold.open = false
  fold.querySelector('summary')?.focus()
}
