import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { inTenant, pool } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { getTranslator } from '#lib/core/i18n/i18n.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { ROLES } from '#lib/core/shared/role.ts'
import { anonymizeStudent } from '#lib/student/bulk/anonymize.ts'
import { deleteField, listFields, restoreField } from '#lib/student/fields/fields.ts'
import { MAX_FIELDS } from '#lib/student/fields/schema.ts'
import { getFieldValues, saveFieldValues } from '#lib/student/fields/values.ts'
import { cardSections } from '#lib/student-card.ts'
import { addMember } from '#lib/user/member.ts'
import { auditedActions } from '../../../setup/audit.ts'
import { listAuditEntries } from '../../../setup/parsed/audit.ts'
import { addField, changeField } from '../../../setup/parsed/student-fields.ts'
import { countMatching, exportStudents, listStudents } from '../../../setup/parsed/student-list.ts'
import { createOtherTenant, createTestTenant, createTestUser, type TestTenant } from '../../../setup/tenants.ts'

let home: TestTenant
let other: TestTenant
let owner: Actor
let studentId: string
let plan: string
let contract: string
let count = 0

beforeAll(async () => {
  other = await createOtherTenant()
})
beforeEach(async () => {
  home = await createTestTenant('Школа Мрія')
  owner = home.as.OWNER
  studentId = await addStudent(home)
  plan = (await addField(owner, { name: 'Тариф', kind: 'choice', options: ['Базовий', 'Повний'] })).fieldId
  contract = (await addField(owner, { name: 'Договір', kind: 'text' })).fieldId
})
afterAll(() => pool.end())

async function addStudent({ tenant }: TestTenant) {
  const userId = await createTestUser(`person${++count}@fields.test`)
  const student = { tenantId: tenant.id, userId, accountType: 'ACCOUNT_TYPE_STUDENT', status: 'accepted' } as const
  return (await addMember(student)).membershipId
}

const names = async () => (await listFields(owner)).map(({ name }) => name)
const valuesOf = async () => {
  const { fields } = await getFieldValues(owner, { studentId })
  return Object.fromEntries(fields.map(({ name, value }) => [name, value]))
}
const save = (values: Record<string, string>, revision = 1, actor = owner) =>
  saveFieldValues(actor, { studentId, revision, values })

describe('the fields of a school', () => {
  test('have the order in which they were added, and are changed and deleted with an audit entry', async () => {
    expect(await names()).toEqual(['Тариф', 'Договір'])
    await changeField(owner, { fieldId: plan, name: 'План', options: ['Повний', 'Сімейний'] })
    expect((await listFields(owner))[0]).toMatchObject({ name: 'План', options: ['Повний', 'Сімейний'] })
    await deleteField(owner, { fieldId: contract })
    await deleteField(owner, { fieldId: contract })
    expect(await names()).toEqual(['План'])
    const { items } = await listAuditEntries(owner, { action: 'settings.changed' })
    expect(items).toHaveLength(4)
  })

  test('keep their values while deleted', async () => {
    await save({ [contract]: '№ 7' })
    await deleteField(owner, { fieldId: contract })
    expect(await valuesOf()).toEqual({ Тариф: '' })
    await expect(save({ [contract]: '№ 8' }, 2)).rejects.toMatchObject({ code: 'not_found' })
    await restoreField(owner, { fieldId: contract })
    await restoreField(owner, { fieldId: contract })
    expect(await valuesOf()).toEqual({ Тариф: '', Договір: '№ 7' })
  })

  test('have different names, also when one is restored', async () => {
    const nameTaken = { code: 'unprocessable', details: { fields: { name: ['field_name_taken'] } } }
    await expect(addField(owner, { name: 'тариф', kind: 'text' })).rejects.toMatchObject(nameTaken)
    await expect(changeField(owner, { fieldId: contract, name: 'Тариф' })).rejects.toMatchObject(nameTaken)
    await deleteField(owner, { fieldId: contract })
    await addField(owner, { name: 'Договір', kind: 'number' })
    await expect(restoreField(owner, { fieldId: contract })).rejects.toMatchObject(nameTaken)
  })

  test('are at most twenty, also when added at the same time', async () => {
    const outcomes = await Promise.allSettled(
      Array.from({ length: MAX_FIELDS }, (_, number) => addField(owner, { name: `Поле ${number}`, kind: 'text' })),
    )
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(MAX_FIELDS - 2)
    expect(await listFields(owner)).toHaveLength(MAX_FIELDS)
  })
})

describe('the values of a student', () => {
  test('are saved, changed and removed with an audit entry', async () => {
    await save({ [plan]: 'Базовий', [contract]: '  № 7 ' })
    expect(await valuesOf()).toEqual({ Тариф: 'Базовий', Договір: '№ 7' })
    await save({ [contract]: '' }, 2)
    expect(await valuesOf()).toEqual({ Тариф: 'Базовий', Договір: '' })
    const { items } = await listAuditEntries(owner, { objectId: studentId })
    expect(items).toMatchObject([
      {
        action: 'student.changed',
        before: { customFields: { Договір: '№ 7' } },
        after: { customFields: { Договір: '' } },
      },
      { action: 'student.changed', after: { customFields: { Тариф: 'Базовий', Договір: '№ 7' } } },
    ])
  })

  test('are not overwritten by a second member of staff, who sees what the first has saved', async () => {
    await save({ [contract]: 'перший' }, 1)
    await expect(save({ [contract]: 'другий' }, 1, home.as.DIRECTOR)).rejects.toMatchObject({
      code: 'conflict',
      details: { data: { current: { revision: 2, fields: [{ value: '' }, { value: 'перший' }] } } },
    })
    const racing = await Promise.allSettled([
      save({ [contract]: 'А' }, 2),
      save({ [contract]: 'Б' }, 2, home.as.DIRECTOR),
    ])
    expect(racing.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect((await getFieldValues(owner, { studentId })).revision).toBe(3)
  })

  test('saved twice, after a lost answer, are saved once', async () => {
    await save({ [plan]: 'Повний' })
    expect((await save({ [plan]: 'Повний' })).revision).toBe(2)
  })

  test('that are invalid are refused under their field, and nothing is saved', async () => {
    await expect(save({ [plan]: 'Чужий', [contract]: '№ 7' })).rejects.toMatchObject({
      code: 'invalid',
      details: { fields: { [plan]: ['field_choice'] } },
    })
    expect(await valuesOf()).toEqual({ Тариф: '', Договір: '' })
  })

  test('filter the list and are exported', async () => {
    await addStudent(home)
    await save({ [plan]: 'Повний', [contract]: '=1+1' })
    const { items } = await listStudents(owner, { field: `${plan}.Повний` })
    expect(items).toMatchObject([{ id: studentId, fields: { [plan]: 'Повний' } }])
    expect(await countMatching(owner, { field: `${plan}.Базовий` })).toBe(0)
    const csv = await new Response(await exportStudents(owner, { sort: 'name' }, 'csv', getTranslator('uk'))).text()
    const [heading = '', ...rows] = csv.trim().split(/\r?\n/)
    expect(heading).toMatch(/Тариф.Договір$/)
    expect(rows.filter((row) => row.includes('Повний'))).toHaveLength(1)
    expect(csv).toContain("'=1+1")
    expect(await auditedActions(owner, owner.tenantId)).toContain('students.exported')
  })

  test('are removed when the student is anonymized', async () => {
    await save({ [contract]: '№ 7' })
    await inTenant(owner, (tx) => anonymizeStudent(tx, { tenantId: owner.tenantId, studentId }, cardSections))
    expect(await valuesOf()).toEqual({ Тариф: '', Договір: '' })
    await expect(save({ [contract]: '№ 8' }, 2)).rejects.toMatchObject({ code: 'unprocessable' })
  })
})

/** Every function with the ids of a field and a student. */
const CALLS: Record<string, (actor: Actor, fieldId: string, id: string) => Promise<unknown>> = {
  changeField: async (actor, fieldId) => changeField(actor, { fieldId, name: 'Інша' }),
  deleteField: async (actor, fieldId) => deleteField(actor, { fieldId }),
  restoreField: async (actor, fieldId) => restoreField(actor, { fieldId }),
  getFieldValues: async (actor, _, id) => getFieldValues(actor, { studentId: id }),
  saveFieldValues: async (actor, fieldId, id) =>
    saveFieldValues(actor, { studentId: id, revision: 1, values: { [fieldId]: 'x' } }),
}

test.each(Object.keys(CALLS))('%s is for owner and director, and finds nothing of another school', async (name) => {
  for (const role of ROLES) {
    if (role === 'OWNER' || role === 'DIRECTOR') continue
    await expect(CALLS[name]?.(home.as[role], contract, studentId)).rejects.toMatchObject({ code: 'forbidden' })
  }
  const { fieldId } = await addField(other.as.OWNER, { name: `Поле ${newId()}`, kind: 'text' })
  await expect(CALLS[name]?.(owner, fieldId, await addStudent(other))).rejects.toMatchObject({ code: 'not_found' })
})
