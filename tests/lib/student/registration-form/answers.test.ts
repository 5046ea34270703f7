import { afterAll, beforeAll, expect, test } from 'vitest'
import { inTenant, pool } from '#lib/core/db/db.ts'
import { getTranslator } from '#lib/core/i18n/i18n.ts'
import { openDataExport, requestDataExport, runDataExport } from '#lib/student/personal-data/export.ts'
import {
  listAnswers,
  recordRegistration,
  saveRegistrationForm,
} from '#lib/student/registration-form/registration-form.ts'
import { auditedActions } from '../../../setup/audit.ts'
import { exportStudents } from '../../../setup/parsed/student-list.ts'
import { createOtherTenant, createTestTenant, type TestTenant } from '../../../setup/tenants.ts'
import { unzipTexts } from '../../../setup/unzip.ts'

let home: TestTenant
let other: TestTenant

beforeAll(async () => {
  home = await createTestTenant('Школа Мрія')
  other = await createOtherTenant()
  const field = { kind: 'line' as const, required: false, options: [] }
  const fields = [
    { ...field, id: 'city', label: 'Місто' },
    { ...field, id: 'source', label: '=Звідки' },
  ]
  await saveRegistrationForm(home.as.OWNER, { revision: 0, isOpen: true, fields, consentText: '', consentUrl: null })
  const { tenantId, membershipId: studentId, userId } = home.as.STUDENT
  await inTenant({ tenantId }, (tx) =>
    recordRegistration(tx, { tenantId, studentId, userId }, { answers: { city: 'Львів', source: '=1+1' } }),
  )
})
afterAll(() => pool.end())

const exported = async (format: 'csv' | 'xlsx', school = home) =>
  new Response(await exportStudents(school.as.OWNER, { sort: 'name' }, format, getTranslator('uk')))

test('answers of the registration form are columns of the exported list of students', async () => {
  const csv = await (await exported('csv')).text()
  const [heading = '', row = ''] = csv.trim().split(/\r?\n/)
  expect(heading).toMatch(/,Місто,"'=Звідки"$/)
  expect(row).toMatch(/,Львів,"'=1\+1"$/)
  const sheets = unzipTexts(Buffer.from(await (await exported('xlsx')).arrayBuffer()))
  expect(Object.values(sheets).join('')).toContain('Львів')
  expect(await (await exported('csv', other)).text()).not.toContain('Місто')
  expect(await auditedActions(home.as.OWNER, home.tenant.id)).toContain('students.exported')
})

test("the answers are part of the person's own export", async () => {
  const { exportId } = await requestDataExport(home.as.STUDENT)
  await runDataExport({ exportId }, { isLastAttempt: true })
  const { body } = await openDataExport(home.as.STUDENT, exportId)
  const files = unzipTexts(Buffer.from(await new Response(body).arrayBuffer()))
  expect(files[`schools/${home.tenant.subdomain}/student_registration.json`]).toContain('Львів')
})

test('answers are for administrators of the own school', async () => {
  const ids = [home.as.STUDENT.membershipId]
  expect((await listAnswers(home.as.DIRECTOR, ids)).get(ids[0] ?? '')).toEqual({ city: 'Львів', source: '=1+1' })
  expect((await listAnswers(other.as.OWNER, ids)).size).toBe(0)
  expect(() => listAnswers(home.as.CURATOR, ids)).toThrow()
})
