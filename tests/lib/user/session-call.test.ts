import { afterAll, beforeAll, expect, test } from 'vitest'
import { config } from '#lib/core/config/config.ts'
import { pool } from '#lib/core/db/db.ts'
import { answerSessionCall } from '#lib/user/session-call.ts'
import { getSessionInfo } from '#lib/user/user.ts'
import { neighbour, type School, school } from '../../setup/people.ts'

let home: School
let other: School

beforeAll(async () => {
  home = await school()
  other = await neighbour()
})
afterAll(() => pool.end())

const hostOf = (subdomain: string) => `${subdomain}.${config.baseDomain}`

test('the bearer or the cookie of a member opens the session of the host', async () => {
  const expected = await getSessionInfo(home.as.EXPERT)
  const host = hostOf(home.tenant.subdomain)
  const token = home.token.EXPERT
  expect(await answerSessionCall(host, `Bearer ${token}`, undefined)).toEqual(expected)
  expect(await answerSessionCall(host, undefined, `locale=uk; token=${token}; theme=day`)).toEqual(expected)
})

test('what is not plainly good is left to the API door', async () => {
  const host = hostOf(home.tenant.subdomain)
  const good = `Bearer ${home.token.OWNER}`
  expect(await answerSessionCall(host, undefined, undefined)).toBeNull()
  expect(await answerSessionCall(host, 'Bearer nonsense-nonsense-nonsense', undefined)).toBeNull()
  expect(await answerSessionCall(host, undefined, `xtoken=${home.token.OWNER}`)).toBeNull()
  expect(await answerSessionCall(hostOf(other.tenant.subdomain), good, undefined)).toBeNull()
  expect(await answerSessionCall('evil.test', good, undefined)).toBeNull()
})
