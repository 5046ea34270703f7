import { expect, test } from 'vitest'
import { personChannel, roomChannel, staffChannel, UNPUBLISHED_TYPES } from '#lib/meeting/room-rules.ts'

test('everybody in a room, its staff and one person listen to channels of their own', () => {
  const channels = [roomChannel('id'), staffChannel('id'), personChannel('id')]
  expect(new Set(channels).size).toBe(3)
  expect(channels.every((channel) => channel.endsWith(':id'))).toBe(true)
})

test('events for the numbers alone are not told to the room', () => {
  for (const type of [
    'poll.vote',
    'user.connect',
    'user.leave',
    'user.click',
    'user.sawButton',
    'window.change',
  ] as const)
    expect(UNPUBLISHED_TYPES.has(type)).toBe(true)
  for (const type of ['message', 'slide.change', 'webinar.finish'] as const)
    expect(UNPUBLISHED_TYPES.has(type)).toBe(false)
})
