import { expect, test, vi } from 'vitest'
import { chooseLayout } from '#layouts/parts/choose-layout.ts'

test('loads the layout named by the route', async () => {
  const log = vi.fn()
  expect(await chooseLayout('login', { login: async () => ({ default: 'Login' }) }, 'Default', log)).toBe('Login')
  expect(log).not.toHaveBeenCalled()
})

test.each([
  ['fails to load', { cabinet: () => Promise.reject(new Error('chunk lost')) }],
  ['does not exist', {}],
])('logs and uses the default one when a layout %s', async (_, loaders) => {
  const log = vi.fn()
  expect(await chooseLayout('cabinet', loaders, 'Default', log)).toBe('Default')
  expect(log).toHaveBeenCalledExactlyOnceWith('Error occurred in processing of layouts', expect.any(Error))
})

test('logs to the console by itself', async () => {
  const spy = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  await chooseLayout('empty', {}, 'Default')
  expect(spy).toHaveBeenCalledWith('Error occurred in processing of layouts', expect.any(Error))
  spy.mockRestore()
})
