import { expect, test } from 'vitest'
import { newestKnownText, rememberSavedText } from '#islands/stores/draft/draft-saved.ts'

// Digests: the newer version is the smaller number.
const GIVEN = { value: 'as the page was drawn', version: 900 }
const SAVED = { value: 'saved since', version: 20 }

test('a component mounted again on its page shows what was saved meanwhile', () => {
  const page = {}
  rememberSavedText('again', { page, given: GIVEN.version, text: SAVED })
  expect(newestKnownText('again', page, GIVEN)).toBe(SAVED)
})

test('a different text of the server is shown, whatever its version', () => {
  const page = {}
  rememberSavedText('other', { page, given: GIVEN.version, text: SAVED })
  for (const version of [3, 500, 1000]) {
    const given = { value: 'by somebody else', version }
    expect(newestKnownText('other', page, given)).toBe(given)
  }
})

test('the next page shows its own text, even one the server had before', () => {
  rememberSavedText('next', { page: {}, given: GIVEN.version, text: SAVED })
  expect(newestKnownText('next', {}, GIVEN)).toBe(GIVEN)
})

test('texts of different names are independent', () => {
  const page = {}
  rememberSavedText('one', { page, given: GIVEN.version, text: SAVED })
  expect(newestKnownText('two', page, GIVEN)).toBe(GIVEN)
})
