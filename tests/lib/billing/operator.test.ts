import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { pool } from '#lib/core/db/db.ts'
import { findActor } from '#lib/user/session.ts'
import { requestApi } from '../../api/api-request.ts'
import { listAuditEntries } from '../../setup/parsed/audit.ts'
import { setPlan } from '../../setup/parsed/billing.ts'
import { createTestTenant, type TestTenant } from '../../setup/tenants.ts'

const TOKEN = 'operator-token-of-the-tests-0123456789'

vi.mock('#lib/core/config/config.ts', async (importOriginal) => {
  const actual = await importOriginal<typeof import('#lib/core/config/config.ts')>()
  return { ...actual, config: { ...actual.config, operatorToken: 'operator-token-of-the-tests-0123456789' } }
})

const DAY = 24 * 3600 * 1000

let home: TestTenant
beforeAll(async () => {
  home = await createTestTenant('Школа Оператора')
  await createTestTenant()
})
beforeEach(() => pool.query('delete from throttle'))

const post = (call: string, body: object) => requestApi('POST', `operator/${call}`, { body, token: TOKEN })
const get = (call: string, query: string) => requestApi('GET', `operator/${call}?${query}`, { token: TOKEN })
const subdomain = () => home.tenant.subdomain

test('every procedure refuses another token, and the session of an owner', async () => {
  const calls = [
    ['GET', 'listSchools'],
    ['GET', `getUsage?school=${subdomain()}`],
    ['POST', 'extendTrial'],
    ['GET', `listPlanTransfers?school=${subdomain()}`],
    ['POST', 'confirmPlanTransfer'],
    ['POST', 'suspendSchool'],
    ['POST', 'restoreSchool'],
  ] as const
  for (const [method, call] of calls) {
    for (const token of [null, 'another-token-0123456789-0123456789', home.token.OWNER]) {
      const body = method === 'POST' ? { school: subdomain(), days: 3, reason: 'x' } : undefined
      const { status } = await requestApi(method, `operator/${call}`, { body, token, actor: home.as.OWNER })
      expect(status, call).toBe(401)
    }
  }
  expect(await findActor(home.token.OWNER, subdomain())).not.toBeNull()
})

test('lists the schools with owner and plans, page by page, and tells the usage of one', async () => {
  const { status, body } = await get('listSchools', `search=${encodeURIComponent('школа оператора')}`)
  expect(status).toBe(200)
  expect(body).toMatchObject({
    items: [{ subdomain: subdomain(), status: 'active', owner: { email: home.as.OWNER.email }, plans: [{}, {}] }],
    next: null,
  })
  const first = await get('listSchools', 'limit=1')
  const [school] = first.body.items as { subdomain: string }[]
  expect(first.body.next).toBe(school?.subdomain)
  const second = await get('listSchools', `limit=1&after=${school?.subdomain}`)
  expect(second.body.items).not.toEqual(first.body.items)
  const usage = await get('getUsage', `school=${subdomain()}`)
  expect(usage.body.usage).toContainEqual({ limit: 'manager_count', used: 8, max: 10 })
  expect((await get('getUsage', 'school=nobody')).status).toBe(404)
})

test('a trial lasts longer, from now when it has ended; a school without one is refused', async () => {
  const { status, body } = await post('extendTrial', { school: subdomain(), days: 10 })
  expect(status).toBe(200)
  const [plan] = body.plans as { trialEndsAt: string; nextPayment: string }[]
  expect(Date.parse(plan?.trialEndsAt ?? '') - Date.now()).toBeGreaterThan(23 * DAY)
  expect(plan?.nextPayment).toBe(plan?.trialEndsAt)
  const past = new Date(Date.now() - 5 * DAY)
  for (const group of ['lms', 'workshop'] as const)
    await setPlan({ tenantId: home.tenant.id, group, plan: 'pro', nextPayment: past, trialEndsAt: past })
  const again = await post('extendTrial', { school: subdomain(), days: 2 })
  const [ended] = again.body.plans as { trialEndsAt: string }[]
  expect(Math.round((Date.parse(ended?.trialEndsAt ?? '') - Date.now()) / DAY)).toBe(2)
  const paid = await createTestTenant()
  for (const group of ['lms', 'workshop'] as const)
    await setPlan({ tenantId: paid.tenant.id, group, plan: 'pro', nextPayment: new Date(Date.now() + DAY) })
  const refused = await post('extendTrial', { school: paid.tenant.subdomain, days: 2 })
  expect(refused).toMatchObject({ status: 422, body: { fields: { form: ['У цієї школи немає пробного періоду.'] } } })
  expect((await post('extendTrial', { school: subdomain(), days: 0 })).status).toBe(400)
})

test('a suspended school has no members until it is restored, and every action is in its log once', async () => {
  for (let twice = 0; twice < 2; twice += 1)
    expect(await post('suspendSchool', { school: subdomain(), reason: 'Скарги' })).toMatchObject({
      status: 200,
      body: { status: 'suspended' },
    })
  expect(await findActor(home.token.OWNER, subdomain())).toBeNull()
  for (let twice = 0; twice < 2; twice += 1)
    expect((await post('restoreSchool', { school: subdomain() })).body.status).toBe('active')
  expect(await findActor(home.token.OWNER, subdomain())).not.toBeNull()
  const { items } = await listAuditEntries(home.as.OWNER, {})
  const actions = items.map(({ action }) => action)
  for (const action of ['school.suspended', 'school.restored'] as const)
    expect(actions.filter((known) => known === action)).toHaveLength(1)
  expect(actions.filter((known) => known === 'plan.trial_extended')).toHaveLength(2)
})

test('the command line prints the same as JSON, and a refusal as text with exit code 1', async () => {
  const run = (...args: string[]) =>
    promisify(execFile)(process.execPath, ['scripts/operator.ts', ...args], { env: process.env })
  const { stdout } = await run('usage', subdomain(), '--json')
  expect(JSON.parse(stdout)).toMatchObject({ subdomain: subdomain(), owner: { email: home.as.OWNER.email } })
  await expect(run('suspend', subdomain())).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('reason'),
  })
}, 60_000)
