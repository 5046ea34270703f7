import { expect, test, vi } from 'vitest'
import { chooseLocale, syncLocale } from '#islands/stores/locale.ts'
import { memoryCookies, memoryStorage } from './browser.ts'

const DOMAINS = ['kafedra.localhost', 'demo.kafedra.localhost']
const parts = (content: Record<string, string> = {}, kept = true) => ({
  storage: memoryStorage(content),
  cookies: memoryCookies('demo.kafedra.localhost', DOMAINS, kept),
  reload: vi.fn(),
})

test('stores the chosen language in local storage and in a cookie of the parent domain, and reloads', () => {
  const here = parts()
  chooseLocale('en', here)
  expect(here.storage.getItem('locale')).toBe('en')
  expect([...here.cookies.entries]).toEqual([['locale@kafedra.localhost', 'en']])
  expect(here.reload).toHaveBeenCalledOnce()
})

test('reloads once more when local storage names another language than the page', () => {
  const here = parts({ locale: 'en' })
  expect(syncLocale('uk', here)).toBe(true)
  expect(here.cookies.cookie).toBe('locale=en')
  expect(syncLocale('uk', here)).toBe(false)
  expect(here.reload).toHaveBeenCalledOnce()
})

test('tries again later, after the page once came in the right language', () => {
  const here = parts({ locale: 'en' })
  syncLocale('uk', here)
  syncLocale('en', here)
  expect(syncLocale('uk', here)).toBe(true)
})

test.each([['uk'], ['fr'], ['']])('does not change the page when local storage contains %j', (locale) => {
  const here = parts(locale ? { locale } : {})
  expect(syncLocale('uk', here)).toBe(false)
  expect(here.reload).not.toHaveBeenCalled()
})

test('does not loop where cookies are refused', () => {
  const here = parts({ locale: 'en' }, false)
  expect(syncLocale('uk', here)).toBe(false)
  expect(here.reload).not.toHaveBeenCalled()
})
