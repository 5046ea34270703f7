import { expect, test } from 'vitest'
import { loggedPath } from '#lib/core/http/logged-path.ts'

const TOKEN = 'aB3_-'.repeat(9).slice(0, 43)
const ID = '01a22247-62bd-7dc8-bb98-91b61e4c2be3'

test.each([
  [`/payment/${TOKEN}`, '/payment/…'],
  [`/v1/payment/callback/liqpay/${TOKEN}`, '/v1/payment/callback/liqpay/…'],
  [`/v1/schedule/${TOKEN}.ics`, '/v1/schedule/…'],
  [`/order/${ID}`, '/order/…'],
  [`/course/view/${ID}`, `/course/view/${ID}`],
  ['/_astro/index.B1x2.js', '/_astro/index.B1x2.js'],
])('%s is logged as %s', (path, logged) => {
  expect(loggedPath(path)).toBe(logged)
})
