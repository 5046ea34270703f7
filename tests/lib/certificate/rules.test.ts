import { describe, expect, test } from 'vitest'
import {
  formatCertificateNumber,
  isNumberFormat,
  numberPartValues,
  numberSides,
} from '#lib/certificate/rule/number-rules.ts'
import {
  CERTIFICATE_ACTIONS,
  canClaimCertificate,
  canManageCertificates,
  canSeeCertificates,
  hasPublicPage,
  markOf,
  nextCertificateState,
  shownState,
  statesBefore,
} from '#lib/certificate/rules.ts'
import { CERTIFICATE_STATES, CERTIFICATE_VARIABLES } from '#lib/certificate/state-schema.ts'
import { undrawableCharacters } from '#lib/certificate/template/drawable-rules.ts'
import { fillText, type VariableTexts } from '#lib/certificate/template/fill-rules.ts'
import { ROLES } from '#lib/core/shared/role.ts'

test('owners, directors and experts manage, assigned curators see, students claim', () => {
  const manage = ROLES.filter((role) => canManageCertificates({ roles: [role] }).allow)
  const seeAssigned = ROLES.filter((role) => canSeeCertificates({ roles: [role] }, true).allow)
  const seeUnassigned = ROLES.filter((role) => canSeeCertificates({ roles: [role] }, false).allow)
  expect(manage).toEqual(['OWNER', 'DIRECTOR', 'EXPERT'])
  expect(seeAssigned).toEqual(['OWNER', 'DIRECTOR', 'EXPERT', 'CURATOR'])
  expect(seeUnassigned).toEqual(manage)
  expect(ROLES.filter((role) => canClaimCertificate({ roles: [role] }).allow)).toEqual(['STUDENT'])
})

test('an electronic certificate goes from pending to issued, and one on paper step by step', () => {
  const transitions = CERTIFICATE_STATES.flatMap((state) =>
    CERTIFICATE_ACTIONS.flatMap((action) => {
      const next = nextCertificateState(state, action)
      return next ? [`${state} ${action} ${next}`] : []
    }),
  )
  expect(transitions).toEqual([
    'pending issue issued',
    'issued expire expired',
    'issued revoke revoked',
    'issued replace replaced',
    'expired revoke revoked',
    'expired replace replaced',
    'requested approve approved',
    'requested decline declined',
    'approved produce produced',
    'approved decline declined',
    'produced revoke revoked',
    'produced replace replaced',
    'produced send sent',
    'produced receive received',
    'sent revoke revoked',
    'sent replace replaced',
    'sent receive received',
    'received revoke revoked',
    'received replace replaced',
  ])
})

test('an issued certificate has expired as soon as its time is over', () => {
  const now = new Date('2026-11-23T10:00:00Z')
  expect(shownState({ state: 'issued', expiresAt: now }, now)).toBe('expired')
  expect(shownState({ state: 'issued', expiresAt: new Date('2026-11-23T10:00:01Z') }, now)).toBe('issued')
  expect(shownState({ state: 'revoked', expiresAt: now }, now)).toBe('revoked')
  expect(shownState({ state: 'issued', expiresAt: null }, now)).toBe('issued')
})

describe('number formats', () => {
  const parts = { subdomain: 'svitlo', courseSlug: 'foto', day: '2026-11-23' }

  test('have one sequence and only known parts', () => {
    expect(['{TENANT}-{YYYY}-{SEQ5}', '{SEQ1}', 'Ц{YY}{MM}/{COURSE}/{SEQ3}'].every(isNumberFormat)).toBe(true)
    expect(['', '{TENANT}', '{SEQ5}{SEQ5}', '{SEQ0}', '{NAME}-{SEQ5}', '{SEQ5}}'].some(isNumberFormat)).toBe(false)
  })

  test('fill in the school, the date and the place', () => {
    expect(formatCertificateNumber(numberSides('{TENANT}-{YYYY}-{SEQ5}', parts), 7)).toBe('SVITLO-2026-00007')
    expect(formatCertificateNumber(numberSides('{COURSE}/{SEQ2}/{MM}{YY}', parts), 123)).toBe('FOTO/123/1126')
  })
})

test('a certificate has a public page once it has a number, and a mark where it is no longer valid', () => {
  const withoutPage = CERTIFICATE_STATES.filter((state) => !hasPublicPage(state))
  expect(withoutPage.toSorted()).toEqual(['approved', 'declined', 'pending', 'requested'])
  const marked = CERTIFICATE_STATES.filter((state) => markOf(state) !== null)
  expect(marked.toSorted()).toEqual(['replaced', 'revoked'])
  for (const state of ['replaced', 'revoked'] as const) expect(markOf(state)).toBe(state)
  expect(statesBefore('revoke').toSorted()).toEqual(['expired', 'issued', 'produced', 'received', 'sent'])
})

test('the parts of a number are those of the school, the course and the day', () => {
  const parts = { subdomain: 'svitlo', courseSlug: 'foto', day: '2026-11-23' }
  const values = { TENANT: 'SVITLO', COURSE: 'FOTO', YYYY: '2026', YY: '26', MM: '11' }
  expect(numberPartValues(parts)).toEqual(values)
  expect(numberSides('№ {SEQ3}', parts)).toEqual({ before: '№ ', after: '', digits: 3 })
})

test('a text with variables is omitted when all of them are empty', () => {
  const [first = 'student', second = 'course'] = CERTIFICATE_VARIABLES
  const texts = (values: Partial<VariableTexts>): VariableTexts => {
    const empty = Object.fromEntries(CERTIFICATE_VARIABLES.map((name) => [name, ''])) as VariableTexts
    return { ...empty, ...values }
  }
  const filled = texts({ [first]: '$1', [second]: '' })
  expect(fillText('Без змінних', filled)).toBe('Без змінних')
  expect(fillText('', filled)).toBe('')
  expect(fillText(`«{${first}}» {${second}}, {unknown}`, filled)).toBe('«$1» , {unknown}')
  expect(fillText(`до {${second}}`, filled)).toBeNull()
  expect(fillText(`{${first}} і {${first}}`, filled)).toBe('$1 і $1')
})

test('characters that the fonts lack are named once, invisible ones by their codes, ten at most', () => {
  expect(undrawableCharacters('Ґанна Їжакевич-Щукіна, č\n№ 5')).toBeNull()
  expect(undrawableCharacters('')).toBeNull()
  expect(undrawableCharacters('ქ🎓ქ')).toBe('ქ, 🎓')
  expect(undrawableCharacters('a\u0007\u200bb')).toBe('U+0007, U+200B')
  expect(undrawableCharacters('一二三四五六七八九十百')?.split(', ')).toHaveLength(10)
})
