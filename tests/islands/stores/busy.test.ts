import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import {
  $busy,
  $loaders,
  $loading,
  $mutating,
  $mutations,
  closeLoader,
  endMutation,
  foreground,
  openLoader,
  startMutation,
} from '#islands/stores/busy.ts'

beforeEach(() => {
  $mutations.set(0)
  $loaders.set(0)
})

describe('mutation counter and loading flag', () => {
  test('is never below zero and active exactly when above zero', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { maxLength: 60 }), (steps) => {
        $mutations.set(0)
        let expected = 0
        for (const starts of steps) {
          if (starts) startMutation()
          else endMutation()
          expected = Math.max(0, expected + (starts ? 1 : -1))
          expect($mutations.get()).toBe(expected)
          expect($mutating.get()).toBe(expected > 0)
        }
      }),
    )
  })

  test('keeps the loading flag on while at least one loader is open', () => {
    openLoader()
    openLoader()
    closeLoader()
    expect($loading.get()).toBe(true)
    closeLoader()
    expect($loading.get()).toBe(false)
    closeLoader()
    expect($loaders.get()).toBe(0)
  })

  test('shows busy for a mutation or a loader', () => {
    expect($busy.get()).toBe(false)
    openLoader()
    expect($busy.get()).toBe(true)
    closeLoader()
    startMutation()
    expect($busy.get()).toBe(true)
  })

  test('counts a foreground promise until it settles, also when it fails', async () => {
    const work = foreground(Promise.reject(new Error('lost')))
    expect($mutations.get()).toBe(1)
    await expect(work).rejects.toThrow('lost')
    expect($mutations.get()).toBe(0)
  })
})
