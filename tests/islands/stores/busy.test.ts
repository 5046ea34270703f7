import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import {
  $isBusy,
  $isLoading,
  $isMutating,
  $loaderCount,
  $mutationCount,
  closeLoader,
  endMutation,
  openLoader,
  startMutation,
  trackMutation,
} from '#islands/stores/busy.ts'

beforeEach(() => {
  $mutationCount.set(0)
  $loaderCount.set(0)
})

describe('mutation counter and loading flag', () => {
  test('is never negative, and active exactly when positive', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { maxLength: 60 }), (steps) => {
        $mutationCount.set(0)
        let expected = 0
        for (const starts of steps) {
          if (starts) startMutation()
          else endMutation()
          expected = Math.max(0, expected + (starts ? 1 : -1))
          expect($mutationCount.get()).toBe(expected)
          expect($isMutating.get()).toBe(expected > 0)
        }
      }),
    )
  })

  test('keeps the loading flag on while at least one loader is open', () => {
    openLoader()
    openLoader()
    closeLoader()
    expect($isLoading.get()).toBe(true)
    closeLoader()
    expect($isLoading.get()).toBe(false)
    closeLoader()
    expect($loaderCount.get()).toBe(0)
  })

  test('shows busy during a mutation or a loader', () => {
    expect($isBusy.get()).toBe(false)
    openLoader()
    expect($isBusy.get()).toBe(true)
    closeLoader()
    startMutation()
    expect($isBusy.get()).toBe(true)
  })

  test('counts a foreground promise until it settles, also when it fails', async () => {
    const work = trackMutation(Promise.reject(new Error('lost')))
    expect($mutationCount.get()).toBe(1)
    await expect(work).rejects.toThrow('lost')
    expect($mutationCount.get()).toBe(0)
  })
})
