import { expect, test } from 'vitest'
import { isOwnOrigin } from '#lib/core/http/origin.ts'

const HOST = 'demo.kafedra.localhost:4321'
const from = (headers: Record<string, string>) => isOwnOrigin('POST', new Headers({ host: HOST, ...headers }))

test.each<[string, Record<string, string>]>([
  ['a program', {}],
  ['a page of the same host', { origin: `http://${HOST}`, 'sec-fetch-site': 'same-origin' }],
  [
    'a page of the same host behind a proxy that drops the port',
    { origin: `http://${HOST}`, host: 'demo.kafedra.localhost' },
  ],
  ['a page of the same host in capitals', { origin: `http://${HOST}`, host: HOST.toUpperCase() }],
  ['a form of an old browser', { 'sec-fetch-site': 'same-origin' }],
  ['the machine itself', { origin: 'http://127.0.0.1:4321', host: '127.0.0.1:4321' }],
])('%s may change state', (_, headers) => expect(from(headers)).toBe(true))

test.each<[string, Record<string, string>]>([
  ['another site', { origin: 'https://evil.test', 'sec-fetch-site': 'cross-site' }],
  ['another site without the fetch headers', { origin: 'https://evil.test' }],
  ['another site that names our host', { origin: 'https://evil.test', host: 'evil.test' }],
  ['a domain that ends like ours', { origin: 'http://evilkafedra.localhost:4321' }],
  ['a domain that begins like ours', { origin: 'http://kafedra.localhost.evil.test:4321' }],
  ['our name on another port', { origin: 'http://kafedra.localhost:8080' }],
  ['our name by another scheme', { origin: 'https://kafedra.localhost:4321' }],
  ['a sandboxed frame', { origin: 'null' }],
  ['a sandboxed frame of our own', { origin: 'null', 'sec-fetch-site': 'same-origin' }],
  ['a browser extension', { origin: 'chrome-extension://abcdef' }],
  ['a script elsewhere without an origin', { 'sec-fetch-site': 'cross-site' }],
  ['a neighbouring site without an origin', { 'sec-fetch-site': 'same-site' }],
  ['an address that is not the one that was asked', { origin: 'http://10.0.0.9:4321', host: HOST }],
  ['nonsense', { origin: 'http://' }],
  ['a page of another school', { origin: 'http://evil.kafedra.localhost:4321', 'sec-fetch-site': 'same-site' }],
  ['a page of the base domain', { origin: 'http://kafedra.localhost:4321', 'sec-fetch-site': 'same-site' }],
  ['a page of go', { origin: 'http://go.kafedra.localhost:4321' }],
])('%s may not change state', (_, headers) => expect(from(headers)).toBe(false))

test.each(['GET', 'HEAD', 'OPTIONS'])('%s changes nothing and is accepted from any origin', (method) => {
  expect(isOwnOrigin(method, new Headers({ origin: 'https://evil.test', 'sec-fetch-site': 'cross-site' }))).toBe(true)
})

test('the host named by a trusted proxy is used', () => {
  const headers = new Headers({ host: '10.0.0.1:4321', origin: `http://${HOST}` })
  expect(isOwnOrigin('POST', headers)).toBe(false)
  expect(isOwnOrigin('POST', headers, HOST)).toBe(true)
})
