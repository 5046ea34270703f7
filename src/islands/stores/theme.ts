import { THEMES, type Theme } from '#lib/core/shared/shell-view.ts'
import { YEAR_SECONDS } from '#lib/core/shared/time.ts'
import { type CookieStore, type KeyValueStorage, writeCookie } from './cookies.ts'

export interface ThemeContext {
  storage: KeyValueStorage
  cookies: CookieStore
  root: { dataset: DOMStringMap }
}

export const isTheme = (value: unknown): value is Theme => THEMES.includes(value as Theme)

/** Applies a theme and stores it in local storage and in the cookie that the server reads. */
export function chooseTheme(theme: Theme, context: ThemeContext): void {
  context.storage.setItem('theme', theme)
  writeCookie(context.cookies, 'theme', theme, YEAR_SECONDS)
  applyTheme(theme, context.root)
}

/** `system` leaves the choice to prefers-color-scheme. */
export function applyTheme(theme: Theme, root: ThemeContext['root']): void {
  if (theme === 'system') delete root.dataset.theme
  else root.dataset.theme = theme
}
