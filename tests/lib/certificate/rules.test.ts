import { describe, expect, test } from 'vitest'
import { endOfValidity } from '#lib/certificate/issue/snapshot.ts'
import { formatCertificateNumber, isNumberFormat, numberSides } from '#lib/certificate/rule/number-rules.ts'
import { findMissing } from '#lib/certificate/rule/qualify.ts'
import { RuleText } from '#lib/certificate/rule/schema.ts'
import {
  CERTIFICATE_ACTIONS,
  canClaimCertificate,
  canManageCertificates,
  canSeeCertificates,
  nextCertificateState,
  shownState,
} from '#lib/certificate/rules.ts'
import { CERTIFICATE_STATES } from '#lib/certificate/state-schema.ts'
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

test('a validity in months ends on the last day of a shorter month', () => {
  expect(endOfValidity(new Date('2027-01-31T12:00:00Z'), 1)?.toISOString()).toBe('2027-02-28T12:00:00.000Z')
  expect(endOfValidity(new Date('2026-11-23T12:00:00Z'), 24)?.toISOString()).toBe('2028-11-23T12:00:00.000Z')
  expect(endOfValidity(new Date(), null)).toBeNull()
})

describe('what a student lacks', () => {
  const rule = { ...RuleText.parse({}), courseId: 'c', version: 1 }
  const facts = { percent: 100, openTasks: 0, hasAccess: true, test: null }

  test('is nothing when the lessons are completed and the tasks accepted', () => {
    expect(findMissing({ ...rule, requireTasks: true }, facts)).toEqual([])
  })

  test('names each condition', () => {
    const missing = findMissing(
      { ...rule, requireTasks: true, testId: 't', minScore: 80 },
      { percent: 50, openTasks: 2, hasAccess: false, test: { percent: 70, passed: true, at: new Date() } },
    )
    expect(missing).toEqual([
      { key: 'access' },
      { key: 'completion', percent: 50, needed: 100 },
      { key: 'tasks', count: 2 },
      { key: 'test', score: 70, needed: 80 },
    ])
  })

  test('includes the deadline once it has passed', () => {
    const deadline = new Date('2026-11-01T00:00:00Z')
    const late = findMissing({ ...rule, deadline }, { ...facts, percent: 90 }, new Date('2026-11-02T00:00:00Z'))
    expect(late.map(({ key }) => key)).toEqual(['completion', 'deadline'])
    expect(findMissing({ ...rule, deadline }, facts, new Date('2026-11-02T00:00:00Z'))).toEqual([])
  })

  test('a test after the deadline does not count', () => {
    const deadline = new Date('2026-11-01T00:00:00Z')
    const test = { percent: 100, passed: true, at: new Date('2026-11-02T00:00:00Z') }
    const missing = findMissing(
      { ...rule, testId: 't', deadline },
      { ...facts, test },
      new Date('2026-11-03T00:00:00Z'),
    )
    expect(missing.map(({ key }) => key)).toEqual(['test', 'deadline'])
  })
})
