import { expect, test } from 'vitest'
import { newestKnown, rememberSaved } from '#islands/stores/draft/draft-saved.ts'

// Digests: the newer version is the smaller number.
const GIVEN = { value: 'as the page was drawn', version: 900 }
const SAVED = { value: 'saved since', version: 20 }

test('a component that is mounted again on its page shows what was saved since', () => {
  const page = {}
  rememberSaved('again', { page, given: GIVEN.version, text: SAVED })
  expect(newestKnown('again', page, GIVEN)).toBe(SAVED)
})

test('another text of the server is shown as it is, whatever its version', () => {
  const page = {}
  rememberSaved('other', { page, given: GIVEN.version, text: SAVED })
  for (const version of [3, 500, 1000]) {
    const given = { value: 'by somebody else', version }
    expect(newestKnown('other', page, given)).toBe(given)
  }
})

test('the next page shows its own text, even one that the server had before', () => {
  rememberSaved('next', { page: {}, given: GIVEN.version, text: SAVED })
  expect(newestKnown('next', {}, GIVEN)).toBe(GIVEN)
})

test('a text of another name is another text', () => {
  const page = {}
  rememberSaved('one', { page, given: GIVEN.version, text: SAVED })
  expect(newestKnown('two', page, GIVEN)).toBe(GIVEN)
})
