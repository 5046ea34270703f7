import { agreeOnLocale, chooseLocale } from '#islands/stores/locale.ts'
import { onPage } from '#islands/stores/page.ts'
import { applyTheme, chooseTheme, isTheme } from '#islands/stores/theme.ts'
import { isLocale } from '#lib/core/shared/locale.ts'
import { documentJar } from './jar.ts'

/** Runs on every page, public ones too: language, theme, flags, password fields. Keep it small. */
const root = document.documentElement
const jar = documentJar
const shelf = storage()
const reload = () => location.reload()

onPage(() => {
  agreeOnLocale(root.lang, { shelf, jar, reload })
  const kept = shelf.getItem('theme')
  if (isTheme(kept)) {
    applyTheme(kept, root)
    tickTheme(kept)
  }
  if (document.querySelector('[data-password]'))
    void import('./password.ts').then(({ betterPasswords }) => betterPasswords())
})

document.addEventListener('click', (event) => {
  const link = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-locale]') : null
  const locale = link?.dataset.locale
  if (!isLocale(locale)) return
  event.preventDefault()
  chooseLocale(locale, { shelf, jar, reload })
})

document.addEventListener('change', (event) => {
  const input = event.target
  if (!(input instanceof HTMLInputElement) || !input.closest('[data-theme-switch]')) return
  if (isTheme(input.value)) chooseTheme(input.value, { shelf, jar, root })
  tickTheme(input.value)
})

// What is being corrected is wrong no longer; the server looks again when it is sent.
document.addEventListener('input', ({ target }) => {
  if (!(target instanceof HTMLElement) || !target.matches('form[method=post] [aria-invalid=true]')) return
  target.removeAttribute('aria-invalid')
  document.getElementById(`${target.id}-error`)?.remove()
})

const idle = window.requestIdleCallback ?? ((run: () => void) => setTimeout(run, 500))
idle(() => void import('./flags.ts'))
const dsn = document.querySelector<HTMLMetaElement>('meta[name="sentry-dsn"]')?.content
if (dsn) idle(() => void import('./errors.ts').then(({ startReporting }) => startReporting(dsn)))

/** A page may have the switch twice: in the menu and in the phone's sheet. */
function tickTheme(theme: string) {
  for (const radio of document.querySelectorAll<HTMLInputElement>('[data-theme-switch] input')) {
    radio.checked = radio.value === theme
  }
}

/** Local storage, or a drawer that forgets where the browser refuses it. */
function storage(): Storage | { getItem: () => null; setItem: () => void; removeItem: () => void } {
  try {
    return window.localStorage
  } catch {
    return { getItem: () => null, setItem: () => undefined, removeItem: () => undefined }
  }
}
