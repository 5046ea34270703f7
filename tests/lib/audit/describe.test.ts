import { expect, test } from 'vitest'
import { describeChange, describeObject } from '#lib/audit/describe.ts'
import type { AuditAction } from '#lib/audit/schema.ts'
import { AUDIT_FIELDS, type AuditValues } from '#lib/audit/values-schema.ts'
import { CERTIFICATE_STATES, CERTIFICATE_TYPES } from '#lib/certificate/state-schema.ts'
import { newId } from '#lib/core/db/id.ts'
import { getTranslator } from '#lib/core/i18n/i18n.ts'
import { BULK_ACTIONS, STUDENT_STATUS } from '#lib/core/shared/learning.ts'
import type { Locale } from '#lib/core/shared/locale.ts'
import { ROLES } from '#lib/core/shared/role.ts'
import { AccessAction } from '#lib/course/access/schema.ts'
import { RISK_KINDS } from '#lib/student/card/rules.ts'
import { FIELD_KINDS } from '#lib/student/fields/schema.ts'
import { ACTIVITY_FILTER, PROGRESS_FILTER, STUDENT_SORTS } from '#lib/student/list/schema.ts'

interface Values {
  before?: object | null
  after?: object | null
}

function describeIn(locale: Locale, { before = null, after = null }: Values, action: AuditAction = 'member.changed') {
  const wording = { t: getTranslator(locale), locale, timeZone: 'Europe/Kyiv' }
  return describeChange({ action, objectName: '', before, after }, wording)
}

const changed = (before: AuditValues, after: AuditValues) => describeIn('uk', { before, after })
const added = (after: AuditValues, locale: Locale = 'uk') => describeIn(locale, { after }).after

test('names fields, roles, moments and yes or no in the language of the reader', () => {
  const before = { roles: ['CURATOR', 'MENTOR'], position: 'Методистка' }
  expect(describeIn('uk', { before, after: { roles: ['MEMBER'], position: 'Методистка' } })).toEqual({
    before: ['Ролі: Куратор, Ментор'],
    after: ['Ролі: Без ролі'],
  })
  expect(describeIn('en', { before, after: { roles: ['MEMBER'], position: '' } })).toEqual({
    before: ['Roles: Curator, Mentor', 'Position: Методистка'],
    after: ['Roles: No role', 'Position: empty'],
  })
  expect(added({ until: '2026-11-22T22:30:00.000Z', firstDay: '2026-12-01', seconds: 300 })).toEqual([
    'Діє до: 23 лист. 2026 р., 00:30',
    'Перший день: 1 грудня 2026 р.',
    'Додано часу: 5 хв',
  ])
  expect(added({ blocked: true, deleted: false })).toEqual(['Заблоковано: так', 'Видалено: ні'])
})

test('omits equal values, ids, and empty values of new objects', () => {
  const group = { name: 'Весняна', seats: 10, endAt: null }
  expect(changed(group, { ...group, seats: 12 })).toEqual({
    before: ['Кількість місць: 10'],
    after: ['Кількість місць: 12'],
  })
  expect(changed({ domain: null }, { domain: 'school.test' }).before).toEqual(['Власний домен: порожньо'])
  expect(added({ invitation: newId(), courses: [], position: '', label: 'Осінь' })).toEqual(['Назва посилання: Осінь'])
})

test('tells custom fields by their own names, also when one is called as a field of the log', () => {
  const before = { customFields: { Договір: '№ 7', locale: 'uk' } }
  expect(changed(before, { customFields: { Договір: '№ 8', locale: 'uk' } })).toEqual({
    before: ['Договір: № 7'],
    after: ['Договір: № 8'],
  })
})

test('shows values as they are where an older version has written them', () => {
  const after = { registration: { isOpen: true }, Договір: '№ 8', reason: 'unknown_reason' }
  expect(describeIn('uk', { after }).after).toEqual([
    'registration: {"isOpen":true}',
    'Договір: № 8',
    'Причина: unknown_reason',
  ])
})

const actions = AccessAction.options.map(({ shape }) => shape.action.value)
const VOCABULARIES: Partial<Record<keyof AuditValues, readonly string[]>> = {
  roles: ROLES.filter((role) => role !== 'STUDENT'),
  change: [...actions, 'undo'],
  status: [...STUDENT_STATUS, 'blocked', 'deleted'],
  progress: PROGRESS_FILTER,
  activity: ACTIVITY_FILTER,
  sort: STUDENT_SORTS,
  kind: FIELD_KINDS,
  state: CERTIFICATE_STATES,
  type: CERTIFICATE_TYPES,
  reasons: RISK_KINDS,
}
// The dictionaries have the same keys in both languages, which the architecture tests check.
test.each(Object.entries(VOCABULARIES))('every value of %s is a word in Ukrainian', (name, values) => {
  for (const value of values) expect(added({ [name]: value }).join()).not.toMatch(/[a-z]{3}/i)
})

test('every field has a label in Ukrainian', () => {
  const names = AUDIT_FIELDS.filter((name) => name !== 'customFields')
  const labels = names.map((name) => describeIn('uk', { after: { [name]: 'так і є' } }).after.join())
  expect(labels.filter((label) => /^[a-z]/.test(label))).toEqual([])
})

test('bulk actions and emails without a subject are named by their kind', () => {
  const t = getTranslator('uk')
  for (const objectName of BULK_ACTIONS) {
    expect(describeObject({ action: 'students.changed', objectName }, t)).not.toMatch(/[a-z]{3}/i)
    expect(describeIn('uk', { after: { action: objectName } }, 'students.changed').after.join()).not.toMatch(
      /[a-z]{3}/i,
    )
  }
  expect(describeObject({ action: 'message.held', objectName: 'invitations' }, t)).toBe('Запрошення')
  expect(describeObject({ action: 'message.held', objectName: 'Новини школи' }, t)).toBe('Новини школи')
})
