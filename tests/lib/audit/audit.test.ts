import { afterAll, beforeAll, expect, test } from 'vitest'
import { recordAuditEntry } from '#lib/audit/audit.ts'
import { canReadAuditLog } from '#lib/audit/rules.ts'
import { readCsv } from '#lib/core/csv/csv.ts'
import { inTenant, pool } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { getTranslator } from '#lib/core/i18n/i18n.ts'
import { ROLES } from '#lib/core/shared/role.ts'
import { exportAuditLog, listAuditEntries } from '../../setup/parsed/audit.ts'
import { createOtherTenant, createTestTenant, type TestTenant } from '../../setup/tenants.ts'

let home: TestTenant
let other: TestTenant
const objectId = newId()
const UKRAINIAN = { t: getTranslator('uk'), locale: 'uk' } as const

beforeAll(async () => {
  home = await createTestTenant()
  other = await createOtherTenant()
  await record('member.invited', 'Олена Ткач')
  await record('member.blocked', 'Олена Ткач', { before: { blocked: false }, after: { blocked: true } })
  await record('member.removed', "Дем'ян Гук")
})
afterAll(() => pool.end())

function record(action: 'member.invited' | 'member.blocked' | 'member.removed', objectName: string, values = {}) {
  const actor = { ...home.as.DIRECTOR, address: '203.0.113.7' }
  return inTenant(actor, (tx) => recordAuditEntry(tx, actor, { action, objectId, objectName, ...values }))
}
const namesOf = async (filter: object) =>
  (await listAuditEntries(home.as.OWNER, filter)).items.map(({ objectName }) => objectName)

test('contains actor, action, time and address, with the values before and after', async () => {
  const [, entry] = (await listAuditEntries(home.as.OWNER, {})).items
  expect(entry).toMatchObject({
    action: 'member.blocked',
    actor: { id: home.as.DIRECTOR.membershipId, name: 'director Тест' },
    address: '203.0.113.7',
    objectId,
    objectName: 'Олена Ткач',
    before: { blocked: false },
    after: { blocked: true },
  })
  expect(Math.abs(Date.now() - Number(entry?.at))).toBeLessThan(60_000)
})

test('filters by action, person, object, day and name', async () => {
  expect(await namesOf({ action: 'member.blocked' })).toEqual(['Олена Ткач'])
  expect(await namesOf({ actorId: home.as.DIRECTOR.membershipId })).toHaveLength(3)
  expect(await namesOf({ actorId: home.as.OWNER.membershipId })).toEqual([])
  expect(await namesOf({ objectId: newId() })).toEqual([])
  expect(await namesOf({ search: 'ДЕМ’ЯН' })).toEqual(["Дем'ян Гук"])
  const today = new Intl.DateTimeFormat('sv', { timeZone: home.as.OWNER.tenantTimeZone }).format(new Date())
  expect(await namesOf({ from: today, to: today })).toHaveLength(3)
  expect(await namesOf({ to: '2020-01-01' })).toEqual([])
  expect(await namesOf({ from: '2999-01-01' })).toEqual([])
})

test('returns all entries page by page', async () => {
  const seen: string[] = []
  let cursor: string | undefined
  do {
    const page = await listAuditEntries(home.as.OWNER, { limit: 2, cursor })
    seen.push(...page.items.map(({ id }) => id))
    cursor = page.next ?? undefined
  } while (cursor)
  expect(new Set(seen).size).toBe(seen.length)
  expect(seen.length).toBeGreaterThanOrEqual(3)
  await expect(listAuditEntries(home.as.OWNER, { cursor: 'x' })).rejects.toMatchObject({ code: 'invalid' })
})

test.each(['update audit_entry set object_name = $$x$$', 'delete from audit_entry', 'truncate audit_entry'])(
  'refuses "%s", even by the product itself',
  async (statement) => {
    const changed = inTenant(home.as.OWNER, (tx) => tx.execute(statement))
    await expect(changed).rejects.toMatchObject({ cause: { message: 'audit_entry is append-only' } })
    expect(await namesOf({})).toContain('Олена Ткач')
  },
)

test('stores no entry when the audited action is rolled back', async () => {
  const failed = inTenant(home.as.OWNER, async (tx) => {
    await recordAuditEntry(tx, home.as.OWNER, { action: 'member.blocked', objectId, objectName: 'Скасована дія' })
    throw new Error('rolled back')
  })
  await expect(failed).rejects.toThrow('rolled back')
  expect(await namesOf({ search: 'Скасована' })).toEqual([])
})

test('shows nothing of another tenant', async () => {
  expect((await listAuditEntries(other.as.OWNER, {})).items).toEqual([])
})

test.each(ROLES)('only owner and director read it: %s', async (role) => {
  const mayRead = role === 'OWNER' || role === 'DIRECTOR'
  expect(canReadAuditLog(home.as[role]).allow).toBe(mayRead)
  const list = () => listAuditEntries(home.as[role], {})
  const download = () => exportAuditLog(home.as[role], {}, UKRAINIAN)
  for (const read of [list, download]) {
    if (mayRead) await expect(read()).resolves.toBeDefined()
    else await expect(read()).rejects.toMatchObject({ code: 'forbidden' })
  }
})

test('exports the filtered log as CSV and records the export', async () => {
  const stream = await exportAuditLog(home.as.OWNER, { action: 'member.blocked' }, UKRAINIAN)
  const [heading, ...rows] = readCsv(await new Response(stream).text())
  expect(heading?.slice(0, 3)).toEqual(['Коли', 'Хто', 'Дія'])
  expect(rows).toEqual([
    [
      expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      'director Тест',
      'Доступ заблоковано',
      'Олена Ткач',
      'Заблоковано: ні',
      'Заблоковано: так',
      '203.0.113.7',
    ],
  ])
  const [exported] = (await listAuditEntries(home.as.OWNER, { action: 'audit.exported' })).items
  expect(exported?.after).toEqual({ action: 'member.blocked' })
})
