import { expect, test } from 'vitest'
import { $failure, clearFailure, setFailure } from '#islands/stores/failure.ts'

test('holds a message and is cleared on navigation', () => {
  setFailure('No answer from the school')
  expect($failure.get()).toEqual({ on: true, message: 'No answer from the school' })
  clearFailure()
  expect($failure.get()).toEqual({ on: false, message: '' })
})
