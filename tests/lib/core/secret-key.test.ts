import fs from 'node:fs'
import path from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { config } from '#lib/core/config/config.ts'
import { inTenant, pool } from '#lib/core/db/db.ts'
import { cipherOf, encrypt, keyFile, readMasterKey } from '#lib/core/encryption.ts'
import { acceptLostKey, rotateKey } from '#lib/core/secret-key/rotate.ts'
import { readSecretKeyState, requireSecretKey } from '#lib/core/secret-key/secret-key.ts'
import { ENCRYPTED_COLUMNS } from '#lib/encrypted-columns.ts'
import { encryptKeys } from '#lib/payment/provider-accounts.ts'
import { paymentProviderSetting } from '#lib/payment/table.ts'
import { createTestTenant, createTestUser, type TestTenant } from '../../setup/tenants.ts'

let home: TestTenant
let userId: string
let original: Buffer
beforeEach(async () => {
  await pool.query('delete from secret_key')
  await pool.query('update "user" set totp_secret = null')
  home = await createTestTenant()
  userId = await createTestUser(`${home.tenant.subdomain}@key.test`)
  // Creates the key file of the test.
  encrypt('x', 'x')
  original = fs.readFileSync(keyFile())
})

const storeSecret = () =>
  pool.query('update "user" set totp_secret = $1 where id = $2', [encrypt('totp', 'СЕКРЕТ'), userId])
const writeKey = (content: Buffer | null) => {
  if (content) fs.writeFileSync(keyFile(), content)
  else fs.rmSync(keyFile())
}
const totpWith = async (key: Buffer) => {
  const { rows } = await pool.query('select totp_secret as value from "user" where id = $1', [userId])
  return cipherOf(key).decrypt('totp', rows[0].value)
}
const currentKey = () => readMasterKey() ?? Buffer.alloc(0)

test('another key is refused with what would be unreadable, also where no fingerprint was stored yet', async () => {
  await storeSecret()
  for (const prepare of [async () => {}, () => requireSecretKey(ENCRYPTED_COLUMNS)]) {
    await prepare()
    writeKey(Buffer.from('b'.repeat(44)))
    await expect(requireSecretKey(ENCRYPTED_COLUMNS)).rejects.toThrow('second factors: 1')
    expect(await readSecretKeyState(ENCRYPTED_COLUMNS)).toMatchObject({ kind: 'wrong' })
    writeKey(original)
    await requireSecretKey(ENCRYPTED_COLUMNS)
  }
})

test('a missing key file is created only while nothing is encrypted', async () => {
  writeKey(null)
  await requireSecretKey(ENCRYPTED_COLUMNS)
  expect(fs.existsSync(keyFile())).toBe(true)
  writeKey(null)
  await expect(requireSecretKey(ENCRYPTED_COLUMNS)).rejects.toThrow('neither the variable nor the file exists')
  expect(fs.existsSync(keyFile())).toBe(false)
  await acceptLostKey()
  await requireSecretKey(ENCRYPTED_COLUMNS)
  writeKey(original)
})

test('a rotation encrypts everything again, and continues after an interruption', async () => {
  await storeSecret()
  const { tenant, as } = home
  await inTenant(as.OWNER, (tx) =>
    tx.insert(paymentProviderSetting).values({
      tenantId: tenant.id,
      provider: 'liqpay',
      keys: encryptKeys({ publicKey: 'п' }),
      isTest: true,
      isEnabled: true,
    }),
  )
  await requireSecretKey(ENCRYPTED_COLUMNS)
  const before = currentKey()
  const [users, ...others] = ENCRYPTED_COLUMNS
  if (!users) throw new Error('there are columns')
  const broken = { ...users, table: 'no_such_table' }
  await expect(rotateKey([users, broken], undefined)).rejects.toThrow()
  // The start waits for the end of the rotation.
  await expect(requireSecretKey(ENCRYPTED_COLUMNS)).rejects.toThrow('npm run rotate-key')
  const { changed, unreadable } = await rotateKey(ENCRYPTED_COLUMNS, undefined)
  expect({ unreadable, users: changed[users.name] }).toEqual({ unreadable: 0, users: 0 })
  expect(changed[others.find(({ table }) => table === 'payment_provider_setting')?.name ?? '']).toBe(1)
  expect(currentKey().equals(before)).toBe(false)
  expect(await totpWith(currentKey())).toBe('СЕКРЕТ')
  expect(await totpWith(before)).toBeNull()
  await requireSecretKey(ENCRYPTED_COLUMNS)
  expect(await readSecretKeyState(ENCRYPTED_COLUMNS)).toEqual({ kind: 'right', unreadable: [] })
  expect(fs.readFileSync(`${keyFile()}.previous`)).toEqual(original)
  writeKey(original)
})

/** Values that are not stored, or only until they expire. */
const TRANSIENT = [
  'src/lib/user/device.ts',
  'src/lib/user/pending-token.ts',
  'src/lib/registration/entry-pass.ts',
  'src/lib/masterclass/visit.ts',
  'src/lib/settings/reply-to.ts',
  'src/lib/course/invitation-link/find-link.ts',
]

test('every stored purpose is listed, and every listed column exists', async () => {
  const purposes = new Set(ENCRYPTED_COLUMNS.map(({ purpose }) => purpose))
  const root = path.resolve('src/lib')
  const unlisted = fs
    .readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.startsWith('core/'))
    .map((name) => ({ name: `src/lib/${name}`, source: fs.readFileSync(path.join(root, name), 'utf8') }))
    .filter(({ source }) => /[^\w.]encrypt\(/.test(source))
    .filter(
      ({ name, source }) =>
        !TRANSIENT.includes(name) && ![...purposes].some((purpose) => source.includes(`'${purpose}'`)),
    )
  expect(unlisted.map(({ name }) => name)).toEqual([])
  expect(await readSecretKeyState(ENCRYPTED_COLUMNS)).toMatchObject({})
  expect(config.secretKey).toBeUndefined()
})
