import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { inTenant, pool } from '#lib/core/db/db.ts'
import { ROLES } from '#lib/core/shared/role.ts'
import { listPaymentMethods } from '#lib/payment/methods.ts'
import {
  checkProvider,
  listProviderSettings,
  saveProvider,
  setProviderEnabled,
} from '#lib/payment/provider-settings.ts'
import { paymentProviderSetting } from '#lib/payment/table.ts'
import { listAuditEntries } from '../../setup/parsed/audit.ts'
import { LIQPAY_KEYS, type LiqpayServer, startLiqpayServer } from '../../setup/payment/liqpay-server.ts'
import { WAYFORPAY_KEYS } from '../../setup/payment/wayforpay-server.ts'
import { createOtherTenant, createTestTenant, type TestTenant } from '../../setup/tenants.ts'

let home: TestTenant
let other: TestTenant
let server: LiqpayServer

beforeAll(async () => {
  server = await startLiqpayServer()
  other = await createOtherTenant()
})
beforeEach(async () => {
  await pool.query('delete from throttle')
  server.isDown = false
  home = await createTestTenant()
})
afterAll(async () => {
  await server.stop()
  await pool.end()
})

const liqpay = { provider: 'liqpay', keys: LIQPAY_KEYS, isTest: false } as const
const offered = ({ tenant }: TestTenant) =>
  inTenant({ tenantId: tenant.id }, async (tx) =>
    (await listPaymentMethods(tx, { currency: 'UAH' })).map(({ provider }) => provider),
  )
const settingOf = async (school: TestTenant) =>
  (await listProviderSettings(school.as.OWNER)).find(({ provider }) => provider === 'liqpay')

test('keys that the provider accepts are stored encrypted, shown to nobody and audited without values', async () => {
  await saveProvider(home.as.OWNER, liqpay)
  expect(await offered(home)).toEqual(['liqpay'])
  expect(await offered(other)).toEqual(['sandbox'])
  const view = await settingOf(home)
  expect(view).toMatchObject({ isEnabled: true, isTest: false, hasKeys: true, checkOk: true })
  expect(view?.keys).toEqual([
    { name: 'publicKey', isSecret: false, isOptional: false, isStored: true, value: LIQPAY_KEYS.publicKey },
    { name: 'privateKey', isSecret: true, isOptional: false, isStored: true, value: null },
  ])
  const rows = await inTenant({ tenantId: home.tenant.id }, (tx) => tx.select().from(paymentProviderSetting))
  const { items } = await listAuditEntries(home.as.OWNER, { action: 'payment.provider_changed' })
  expect(JSON.stringify([rows, items])).not.toContain(LIQPAY_KEYS.privateKey)
  expect(items).toMatchObject([{ after: { enabled: true, testMode: false, keysReplaced: true } }])
})

test('keys that the provider refuses are not stored', async () => {
  const keys = { ...LIQPAY_KEYS, privateKey: 'f'.repeat(40) }
  await expect(saveProvider(home.as.OWNER, { ...liqpay, keys })).rejects.toMatchObject({
    details: { fields: { form: ['payment_keys_refused'] } },
  })
  expect(await offered(home)).toEqual(['sandbox'])
})

test('nothing is stored while the provider does not answer', async () => {
  server.isDown = true
  await expect(saveProvider(home.as.OWNER, liqpay)).rejects.toMatchObject({ code: 'unavailable' })
  expect((await settingOf(home))?.hasKeys).toBe(false)
})

test('missing and malformed keys are named before anyone is asked', async () => {
  const before = server.requests.length
  const keys = { publicKey: 'https://internal.example' }
  await expect(saveProvider(home.as.OWNER, { ...liqpay, keys })).rejects.toMatchObject({
    code: 'invalid',
    details: { fields: { publicKey: ['format'], privateKey: ['required'] } },
  })
  expect(server.requests).toHaveLength(before)
})

test('an empty secret keeps the stored one', async () => {
  await saveProvider(home.as.OWNER, liqpay)
  await saveProvider(home.as.OWNER, {
    ...liqpay,
    keys: { publicKey: LIQPAY_KEYS.publicKey, privateKey: '' },
    isTest: true,
  })
  expect(await settingOf(home)).toMatchObject({ hasKeys: true, isTest: true })
})

test('keys of a published test account are in test mode whatever was chosen', async () => {
  // The secret of this account is public, so its callbacks prove nothing.
  const { wayforpay } = await import('#lib/payment/providers/wayforpay.ts')
  expect(wayforpay.isTestAccount({ ...WAYFORPAY_KEYS, merchantAccount: 'test_merch_n1' })).toBe(true)
  const { liqpay: provider } = await import('#lib/payment/providers/liqpay.ts')
  expect(provider.isTestAccount({ ...LIQPAY_KEYS, publicKey: 'sandbox_i00000000' })).toBe(true)
})

test('a provider is turned off and on, and its keys are checked again', async () => {
  await saveProvider(home.as.OWNER, liqpay)
  await setProviderEnabled(home.as.OWNER, { provider: 'liqpay', isEnabled: false })
  await setProviderEnabled(home.as.OWNER, { provider: 'liqpay', isEnabled: false })
  expect(await offered(home)).toEqual([])
  await setProviderEnabled(home.as.OWNER, { provider: 'sandbox', isEnabled: false })
  expect(await offered(home)).toEqual([])
  await setProviderEnabled(home.as.OWNER, { provider: 'liqpay', isEnabled: true })
  expect(await offered(home)).toEqual(['liqpay'])
  expect(await checkProvider(home.as.OWNER, { provider: 'liqpay' })).toEqual({ isAccepted: true })
  await expect(setProviderEnabled(home.as.OWNER, { provider: 'wayforpay', isEnabled: true })).rejects.toMatchObject({
    code: 'not_found',
  })
  await expect(checkProvider(home.as.OWNER, { provider: 'wayforpay' })).rejects.toMatchObject({ code: 'not_found' })
})

test.for(ROLES.filter((role) => role !== 'OWNER'))('%s neither sees nor changes them', async (role) => {
  const actor = home.as[role]
  const forbidden = { code: 'forbidden' }
  await expect(listProviderSettings(actor)).rejects.toMatchObject(forbidden)
  await expect(saveProvider(actor, liqpay)).rejects.toMatchObject(forbidden)
  await expect(setProviderEnabled(actor, { provider: 'sandbox', isEnabled: false })).rejects.toMatchObject(forbidden)
  await expect(checkProvider(actor, { provider: 'liqpay' })).rejects.toMatchObject(forbidden)
})

test('every provider is in the settings, and one without keys takes none', async () => {
  const names = (await listProviderSettings(home.as.OWNER)).map(({ provider }) => provider)
  expect(names).toEqual(['liqpay', 'wayforpay', 'monobank', 'stripe', 'bank', 'sandbox'])
  await expect(saveProvider(home.as.OWNER, { ...liqpay, provider: 'sandbox' })).rejects.toMatchObject({
    code: 'not_found',
  })
})
