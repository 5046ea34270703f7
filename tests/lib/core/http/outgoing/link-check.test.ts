import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkLink } from '#lib/core/http/outgoing/link-check.ts'
import { isPrivateAddress } from '#lib/core/http/outgoing/public-address.ts'

let server: http.Server
let port: number
const requests: string[] = []
beforeAll(async () => {
  server = http.createServer((request, response) => {
    requests.push(request.url ?? '')
    response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  port = (server.address() as AddressInfo).port
})
afterAll(() => server.close())

describe('an internal link', () => {
  test.each(['127.0.0.1', 'localhost', '[::1]', '0.0.0.0', '[::ffff:127.0.0.1]', '2130706433', '0x7f.1'])(
    'is not requested at %s',
    async (host) => {
      expect(await checkLink(`http://${host}:${port}/secret`)).toMatchObject({ status: null, reason: 'private' })
      expect(requests).toEqual([])
    },
  )

  test.each([
    '169.254.169.254',
    '10.1.2.3',
    '172.31.0.1',
    '192.168.1.1',
    '100.64.0.1',
    'fe80::1',
    'fd00::1',
    'ff02::1',
    '0.1.2.3',
    '192.0.2.1',
    '198.18.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::127.0.0.1',
    '::ffff:10.0.0.1',
    '::ffff:7f00:1',
    '0:0:0:0:0:ffff:7f00:1',
    '::ffff:0:127.0.0.1',
    'fec0::1',
    'feff::1',
    '64:ff9b::a00:1',
    '64:ff9b:1::a00:1',
    '64:ff9b:1:ffff::1',
    '2002:7f00:1::',
    '2001::1',
    '2001:0:4136:e378:8000:63bf:3fff:fdd2',
    '2001:db8::1',
    '2001:2::1',
    '2001:10::1',
    '100::1',
    '4000::1',
    'fe80::1%eth0',
    'not an address',
  ])('%s counts as inside', (address) => expect(isPrivateAddress(address)).toBe(true))

  test.each(['1.1.1.1', '172.32.0.1', '2606:4700::1111', '::ffff:8.8.8.8'])('%s counts as outside', (address) =>
    expect(isPrivateAddress(address)).toBe(false),
  )
})

test.each(['file:///etc/passwd', 'javascript:alert(1)', 'gopher://a.test', 'nothing'])(
  '%s is no web address',
  async (link) => {
    expect(await checkLink(link)).toEqual({ status: null, reason: 'not_web' })
  },
)

test('an unknown host is unreachable', async () => {
  expect(await checkLink('https://nobody.invalid/')).toEqual({ status: null, reason: 'silent' })
})
