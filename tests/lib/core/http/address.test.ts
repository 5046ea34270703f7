import { expect, test } from 'vitest'
import { clientAddress, hostOf, isValidTarget, networkOf } from '#lib/core/http/address.ts'

test.each([
  ['203.0.113.9', '203.0.113.9'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002::6', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8::/64'],
  ['1::2:3:4:5:6:7', '1:0:2:3::/64'],
  ['::2:3:4:5:6:7:8', '0:2:3:4::/64'],
  ['1:2:3:4:5:6:203.0.113.9', '1:2:3:4::/64'],
  ['::1', '::/64'],
  ['fe80::1%eth0', 'fe80::/64'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['0:0:0:0:0:FFFF:cb00:7109', '203.0.113.9'],
  ['', ''],
  ['nonsense', 'nonsense'],
])('tries from %j count for %j', (address, network) => expect(networkOf(address)).toBe(network))

test("the client address is the connection's, or the one appended by the own proxy, never one written by the client", () => {
  const forged = { 'x-forwarded-for': '1.2.3.4, 198.51.100.7' }
  expect(clientAddress(forged, '203.0.113.9', false)).toBe('203.0.113.9')
  expect(clientAddress(forged, '127.0.0.1', true)).toBe('198.51.100.7')
  expect(clientAddress({ 'x-forwarded-for': '<script>' }, '::ffff:10.0.0.1', true)).toBe('10.0.0.1')
  expect(clientAddress({ 'x-forwarded-for': '1.2.3.4, 99' }, '10.0.0.1', true)).toBe('10.0.0.1')
  expect(clientAddress({}, undefined, false)).toBe('')
})

test('one IPv6 address is the same however it is written', () => {
  for (const written of ['2001:0DB8::0:1', '2001:db8:0:0:0:0:0:1', '2001:db8::1'])
    expect(clientAddress({ 'x-forwarded-for': written }, '10.0.0.1', true)).toBe('2001:db8::1')
  expect(clientAddress({ 'x-forwarded-for': '::FFFF:203.0.113.9' }, '10.0.0.1', true)).toBe('203.0.113.9')
})

test('a forged host is unknown without a proxy, and with one only a host name is accepted', () => {
  const forged = { host: 'demo.kafedra.localhost', 'x-forwarded-host': 'evil.test' }
  expect(hostOf(forged, false)).toBe('demo.kafedra.localhost')
  expect(hostOf(forged, true)).toBe('evil.test')
  for (const host of ['a@b', 'ev il', 'a..b/', '', '<x>']) expect(hostOf({ host }, false)).toBeNull()
})

test.each(['//evil.test', '/\\evil.test', 'http://evil.test/', '/%00', '/%0d%0aSet-Cookie:a', '/%ff', '/%5cevil', '*'])(
  'no lookup is made for %j',
  (target) => expect(isValidTarget(target)).toBe(false),
)
