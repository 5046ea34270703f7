import { expect, test } from 'vitest'
import { personChannel, roomChannel, staffChannel, UNPUBLISHED_TYPES } from '#lib/meeting/room-rules.ts'

test('a room has separate channels for everybody, for staff and for one person', () => {
  const channels = [roomChannel('id'), staffChannel('id'), personChannel('id')]
  expect(new Set(channels).size).toBe(3)
  expect(channels.every((channel) => channel.endsWith(':id'))).toBe(true)
})

test('events for statistics only are not published to the room', () => {
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
