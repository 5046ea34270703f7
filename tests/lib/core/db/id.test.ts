import { expect, test } from 'vitest'
import { derivedId, newId } from '#lib/core/db/id.ts'
import { UUID_PATTERN } from '#lib/core/shared/uuid.ts'

test('a text always has the same UUID of version 8, and another text has another one', () => {
  const id = derivedId('event 1 reminder')
  expect(id).toMatch(UUID_PATTERN)
  expect(id).toMatch(/^.{14}8.{4}8/)
  expect(derivedId('event 1 reminder')).toBe(id)
  expect(derivedId('event 2 reminder')).not.toBe(id)
})

test('new ids are UUIDs of version 7', () => {
  expect(newId()).toMatch(UUID_PATTERN)
  expect(newId()).toMatch(/^.{14}7/)
})
