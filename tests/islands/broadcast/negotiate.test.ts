import { expect, test } from 'vitest'
import { parseIceServers } from '#islands/broadcast/negotiate.ts'

test('reads ICE servers of a Link header', () => {
  const link =
    '<stun:stun.example.net>; rel="ice-server", ' +
    '<turn:turn.example.net?transport=udp>; rel="ice-server"; username="user"; credential="secret"; credential-type="password", ' +
    '<https://example.net/>; rel="describedby"'
  expect(parseIceServers(link)).toEqual([
    { urls: 'stun:stun.example.net' },
    { urls: 'turn:turn.example.net?transport=udp', username: 'user', credential: 'secret' },
  ])
})
