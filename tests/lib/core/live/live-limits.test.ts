import { expect, test } from 'vitest'
import { config } from '#lib/core/config/config.ts'
import { reserveStream, STREAMS_PER_SESSION } from '#lib/core/live/limits.ts'

test('a session may hold a limited number of streams, and another one after one ends', () => {
  const open = Array.from({ length: STREAMS_PER_SESSION }, () => reserveStream('one', null))
  expect(() => reserveStream('one', null)).toThrow('too_many')
  reserveStream('another', null)()
  open[0]?.()
  // A second call releases nothing more.
  open[0]?.()
  const again = reserveStream('one', null)
  expect(() => reserveStream('one', null)).toThrow('too_many')
  for (const release of [...open, again]) release()
})

test('a network may hold a limited number of streams, whichever of its IPv6 addresses it uses', () => {
  const open = Array.from({ length: config.streamsPerAddress }, (_, index) =>
    reserveStream(`seat ${index}`, `2001:db8::${(index + 1).toString(16)}`),
  )
  expect(() => reserveStream('seat', '2001:db8::ffff')).toThrow('too_many')
  reserveStream('seat', '2001:db8:0:1::1')()
  for (const release of open) release()
  reserveStream('seat', '2001:db8::ffff')()
})
