import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import {
  connectPeers,
  hasPeers,
  onPeerMessage,
  type PeerMessage,
  receivePeerMessage,
  recentPeerMessages,
  sendToPeers,
} from '#lib/core/processes/peers.ts'

beforeEach(() => {
  globalThis.kafedraPeers = undefined
})

afterEach(() => {
  globalThis.kafedraPeers = undefined
  vi.useRealTimers()
})

const revocation = (revokedAt: number) => ({ participant: { room: 'r', participant: 'p' }, scope: {}, revokedAt })

test('a process without others sends nothing', () => {
  sendToPeers('upload.part', 'a', { keepMs: 1000 })
  expect(hasPeers()).toBe(false)
  expect(recentPeerMessages()).toEqual([])
})

test('a message goes to the other processes and not to the listeners of the sender', () => {
  const sent: PeerMessage[] = []
  const listener = vi.fn()
  connectPeers((message) => sent.push(message))
  onPeerMessage('upload.part', listener)
  sendToPeers('upload.part', 'a')
  expect(sent).toEqual([expect.objectContaining({ topic: 'upload.part', value: 'a' })])
  expect(listener).not.toHaveBeenCalled()
})

test('a received message reaches the listeners of its topic only', () => {
  const [parts, calls] = [vi.fn(), vi.fn()]
  onPeerMessage('upload.part', parts)
  onPeerMessage('api.calls', calls)
  receivePeerMessage({ topic: 'upload.part', value: 'a', expiresAt: 0 })
  expect(parts).toHaveBeenCalledExactlyOnceWith('a')
  expect(calls).not.toHaveBeenCalled()
})

test('a listener that is added later gets the messages that are still kept', () => {
  vi.useFakeTimers()
  const listener = vi.fn()
  receivePeerMessage({ topic: 'stream.revoked', value: revocation(1), expiresAt: Date.now() + 1000 })
  vi.advanceTimersByTime(2000)
  receivePeerMessage({ topic: 'stream.revoked', value: revocation(2), expiresAt: Date.now() + 1000 })
  onPeerMessage('stream.revoked', listener)
  expect(listener).toHaveBeenCalledExactlyOnceWith(revocation(2))
  expect(recentPeerMessages()).toHaveLength(1)
})
