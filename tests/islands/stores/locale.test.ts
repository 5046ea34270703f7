import { expect, test, vi } from 'vitest'
import { agreeOnLocale, chooseLocale } from '#islands/stores/locale.ts'
import { memoryJar, memoryShelf } from './browser.ts'

const DOMAINS = ['kafedra.localhost', 'demo.kafedra.localhost']
const parts = (content: Record<string, string> = {}, kept = true) => ({
  shelf: memoryShelf(content),
  jar: memoryJar('demo.kafedra.localhost', DOMAINS, kept),
  reload: vi.fn(),
})

test('keeps the chosen language in local storage and in a cookie of the parent domain, and loads again', () => {
  const here = parts()
  chooseLocale('en', here)
  expect(here.shelf.getItem('locale')).toBe('en')
  expect([...here.jar.held]).toEqual([['locale@kafedra.localhost', 'en']])
  expect(here.reload).toHaveBeenCalledOnce()
})

test('loads once more when local storage says another language than the page', () => {
  const here = parts({ locale: 'en' })
  expect(agreeOnLocale('uk', here)).toBe(true)
  expect(here.jar.cookie).toBe('locale=en')
  expect(agreeOnLocale('uk', here)).toBe(false)
  expect(here.reload).toHaveBeenCalledOnce()
})

test('tries again later, after the page once came in the right language', () => {
  const here = parts({ locale: 'en' })
  agreeOnLocale('uk', here)
  agreeOnLocale('en', here)
  expect(agreeOnLocale('uk', here)).toBe(true)
})

test.each([['uk'], ['fr'], ['']])('leaves the page alone when local storage says %j', (locale) => {
  const here = parts(locale ? { locale } : {})
  expect(agreeOnLocale('uk', here)).toBe(false)
  expect(here.reload).not.toHaveBeenCalled()
})

test('does not loop where cookies are refused', () => {
  const here = parts({ locale: 'en' }, false)
  expect(agreeOnLocale('uk', here)).toBe(false)
  expect(here.reload).not.toHaveBeenCalled()
})
