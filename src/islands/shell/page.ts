import { ISLAND_SELECTOR } from '#islands/mount/island-selector.ts'
import { documentCookies } from '#islands/stores/document-cookies.ts'
import { startErrorReports } from '#islands/stores/error-report.ts'
import { chooseLocale, syncLocale } from '#islands/stores/locale.ts'
import { onPage, runWhenIdle } from '#islands/stores/page.ts'
import { deviceStorage } from '#islands/stores/safe-storage.ts'
import { applyTheme, chooseTheme, isTheme } from '#islands/stores/theme.ts'
import { isLocale } from '#lib/core/shared/locale.ts'

/** Runs on every page, public ones too: language, theme, flags, password fields. It must stay small. */
const root = document.documentElement
const cookies = documentCookies
const storage = deviceStorage
const reload = () => location.reload()

onPage(() => {
  syncLocale(root.lang, { storage: storage, cookies: cookies, reload })
  const storedTheme = storage.getItem('theme')
  if (isTheme(storedTheme)) {
    applyTheme(storedTheme, root)
    checkThemeRadios(storedTheme)
  }
  if (document.querySelector('[data-password]'))
    void import('./password-fields.ts').then(({ enhancePasswordFields }) => enhancePasswordFields())
})

document.addEventListener('click', (event) => {
  const link = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-locale]') : null
  const locale = link?.dataset.locale
  if (!isLocale(locale)) return
  event.preventDefault()
  chooseLocale(locale, { storage: storage, cookies: cookies, reload })
})

document.addEventListener('change', (event) => {
  const input = event.target
  if (!(input instanceof HTMLInputElement) || !input.closest('[data-theme-switch]')) return
  if (isTheme(input.value)) chooseTheme(input.value, { storage: storage, cookies: cookies, root })
  checkThemeRadios(input.value)
})

// An edited field is no longer marked as invalid; the server validates it again. Islands do this for their own fields:
// React fails when a node that it has rendered is removed.
document.addEventListener('input', ({ target }) => {
  if (!(target instanceof HTMLElement) || !target.matches('form[method=post] [aria-invalid=true]')) return
  if (target.closest(ISLAND_SELECTOR)) return
  target.removeAttribute('aria-invalid')
  document.getElementById(`${target.id}-error`)?.remove()
})

runWhenIdle(() => void import('./flags.ts'))
runWhenIdle(() => void startErrorReports()?.catch(() => undefined))

/** A page may contain the theme switch twice: in the menu and in the bottom navigation of phones. */
function checkThemeRadios(theme: string) {
  for (const radio of document.querySelectorAll<HTMLInputElement>('[data-theme-switch] input')) {
    radio.checked = radio.value === theme
  }
}
