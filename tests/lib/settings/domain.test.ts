import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startDnsServer } from '../../setup/servers/dns-server.ts'
import type { TestTenant } from '../../setup/tenants.ts'

// The configuration is read once, so the name server is started before any module of the product is loaded.
const dns = await startDnsServer()
process.env.DNS_SERVERS = dns.address
const { inSystem, pool } = await import('#lib/core/db/db.ts')
const { addDomain, checkDomain, checkDueDomains, isDomainServed, removeDomain } = await import(
  '#lib/settings/domain.ts'
)
const { getSettings } = await import('#lib/settings/settings.ts')
const { tenantDomain } = await import('#lib/tenant/table.ts')
const { whileRowsFail } = await import('../../setup/failing-rows.ts')
const { createOtherTenant, createTestTenant } = await import('../../setup/tenants.ts')

let home: TestTenant
let other: TestTenant
let count = 0
let domain: string

beforeAll(async () => {
  home = await createTestTenant('Школа Мрія')
  other = await createOtherTenant()
})
beforeEach(async () => {
  await pool.query('delete from throttle')
  await inSystem((tx) => tx.delete(tenantDomain))
  dns.records = []
  dns.fails = false
  domain = `school-${++count}.domain.test`
})
afterAll(async () => {
  await dns.stop()
  await pool.end()
})

const domainOf = async (school: TestTenant) => (await getSettings(school.as.OWNER)).domain

/** Sets the records shown by the settings page. */
async function setRecords(school: TestTenant): Promise<void> {
  for (const { type, name, value } of (await domainOf(school))?.records ?? []) {
    dns.records.push(type === 'TXT' ? { type, name, data: [value] } : { type, name, data: value })
  }
}

test('a domain is served once both records are set, and no longer when it is removed', async () => {
  await addDomain(home.as.OWNER, { domain })
  expect(await checkDomain(home.as.OWNER)).toMatchObject({ status: 'pending', problem: 'txt_missing' })
  expect(await isDomainServed(domain)).toBe(false)
  await setRecords(home)
  expect(await checkDomain(home.as.DIRECTOR)).toMatchObject({ status: 'active', problem: null })
  expect(await isDomainServed(domain.toUpperCase())).toBe(true)
  await removeDomain(home.as.OWNER)
  await removeDomain(home.as.OWNER)
  expect(await isDomainServed(domain)).toBe(false)
})

test('an apex domain may have the address of the school instead of a CNAME record', async () => {
  await addDomain(home.as.OWNER, { domain })
  const target = `${home.tenant.subdomain}.kafedra.localhost`
  await setRecords(home)
  dns.records = dns.records.filter(({ type }) => type === 'TXT')
  dns.records.push({ type: 'A', name: target, data: '203.0.113.7' }, { type: 'A', name: domain, data: '203.0.113.8' })
  expect(await checkDomain(home.as.OWNER)).toMatchObject({ status: 'verified', problem: 'address_wrong' })
  dns.records.push({ type: 'A', name: domain, data: '203.0.113.7' })
  expect(await checkDomain(home.as.OWNER)).toMatchObject({ status: 'active' })
})

test('the record of another school proves nothing', async () => {
  await addDomain(home.as.OWNER, { domain })
  await setRecords(home)
  expect(await checkDomain(home.as.OWNER)).toMatchObject({ status: 'active' })
  await addDomain(other.as.OWNER, { domain })
  expect(await checkDomain(other.as.OWNER)).toMatchObject({ status: 'pending', problem: 'txt_wrong' })
  expect(await checkDomain(home.as.OWNER)).toMatchObject({ status: 'active' })
})

test('two schools cannot both wait for the verification of a domain, also when both add it at the same time', async () => {
  const added = await Promise.allSettled([home, other].map((school) => addDomain(school.as.OWNER, { domain })))
  const refusal = { code: 'unprocessable', details: { fields: { domain: ['domain_pending'] } } }
  expect(added.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))).toMatchObject([refusal])
  expect([await domainOf(home), await domainOf(other)].filter(Boolean)).toHaveLength(1)
})

test('a domain that a school has not verified for three days can be added by another one', async () => {
  await addDomain(home.as.OWNER, { domain })
  const later = (days: number) => new Date(Date.now() + days * 86_400_000)
  await expect(addDomain(other.as.OWNER, { domain }, later(2.9))).rejects.toMatchObject({ code: 'unprocessable' })
  await addDomain(other.as.OWNER, { domain }, later(3.1))
  expect(await domainOf(home)).toMatchObject({ status: 'failed' })
  expect(await domainOf(other)).toMatchObject({ status: 'pending' })
  // The record of the first school still proves its control.
  await setRecords(home)
  expect(await checkDomain(home.as.OWNER)).toMatchObject({ status: 'active' })
})

test('a domain that changed hands is taken from the school that had it', async () => {
  await addDomain(home.as.OWNER, { domain })
  await setRecords(home)
  await checkDomain(home.as.OWNER)
  await addDomain(other.as.OWNER, { domain })
  dns.records = []
  await setRecords(other)
  expect(await checkDomain(other.as.OWNER)).toMatchObject({ status: 'active' })
  expect(await domainOf(home)).toMatchObject({ status: 'failed' })
})

test('the periodic job checks new domains and tolerates name servers that fail', async () => {
  await addDomain(home.as.OWNER, { domain })
  await setRecords(home)
  dns.fails = true
  expect(await checkDueDomains()).toBe(1)
  expect(await domainOf(home)).toMatchObject({ status: 'pending', problem: 'dns_unavailable' })
  dns.fails = false
  expect(await checkDueDomains()).toBe(0)
  expect(await checkDueDomains(new Date(Date.now() + 11 * 60_000))).toBe(1)
  expect(await domainOf(home)).toMatchObject({ status: 'active' })
})

test('a domain whose check fails is not the first one of the next run', async () => {
  await addDomain(home.as.OWNER, { domain })
  dns.fails = true
  await whileRowsFail({ table: 'tenant_domain', column: 'check_error', value: 'dns_unavailable' }, async () => {
    await expect(checkDueDomains()).rejects.toThrow('1 of 1 items failed')
    expect(await checkDueDomains()).toBe(0)
  })
  dns.fails = false
})

test('an address of the installation is refused, and so are all members except owner and director', async () => {
  await expect(addDomain(home.as.OWNER, { domain: 'x.kafedra.localhost' })).rejects.toMatchObject({
    code: 'unprocessable',
    details: { fields: { domain: ['domain_own'] } },
  })
  for (const role of ['EXPERT', 'CURATOR', 'MEMBER', 'STUDENT'] as const) {
    await expect(addDomain(home.as[role], { domain })).rejects.toMatchObject({ code: 'forbidden' })
    await expect(checkDomain(home.as[role])).rejects.toMatchObject({ code: 'forbidden' })
    await expect(removeDomain(home.as[role])).rejects.toMatchObject({ code: 'forbidden' })
  }
})
