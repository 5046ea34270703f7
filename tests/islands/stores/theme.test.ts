import { expect, test } from 'vitest'
import { chooseTheme, isTheme } from '#islands/stores/theme.ts'
import { memoryCookies, memoryStorage } from './browser.ts'

test('applies a theme at once, stores it, and returns the choice to the system', () => {
  const root = { dataset: {} as DOMStringMap }
  const here = { storage: memoryStorage(), cookies: memoryCookies('127.0.0.1', []), root }
  chooseTheme('night', here)
  expect(root.dataset).toEqual({ theme: 'night' })
  expect(here.cookies.cookie).toBe('theme=night')
  expect(here.storage.getItem('theme')).toBe('night')
  chooseTheme('system', here)
  expect(root.dataset).toEqual({})
})

test('accepts exactly three themes', () => {
  expect(['system', 'day', 'night', 'dusk', null].filter(isTheme)).toEqual(['system', 'day', 'night'])
})
