import { expect, test } from 'vitest'
import { type AccountState, canCorrectEmail, canCreateLoginLink } from '#lib/student/card/rules.ts'
import { linkState } from '#lib/student/sign-in/rules.ts'

const ACCOUNT: AccountState = {
  status: 'accepted',
  blockedAt: null,
  deletedAt: null,
  anonymizedAt: null,
  isShared: false,
  isStaff: false,
  hasSecondFactor: false,
}
const NOW = new Date('2026-11-22T10:00:00Z')
const at = (ms: number) => new Date(NOW.getTime() + ms)

test.each<[Partial<AccountState>, correction: string, link: string]>([
  [{}, 'own_student', 'own_student'],
  [{ status: 'invited' }, 'own_student', 'not_accepted'],
  [{ blockedAt: NOW }, 'own_student', 'blocked'],
  [{ hasSecondFactor: true }, 'own_student', 'second_factor'],
  [{ isShared: true }, 'shared_account', 'shared_account'],
  [{ isShared: true, isStaff: true }, 'shared_account', 'staff_account'],
  [{ isStaff: true }, 'shared_account', 'staff_account'],
  [{ deletedAt: NOW, blockedAt: NOW }, 'deleted', 'deleted'],
  [{ deletedAt: NOW, anonymizedAt: NOW }, 'deleted', 'deleted'],
])('an account with %o: correction %s, login link %s', (change, correction, link) => {
  const account = { ...ACCOUNT, ...change }
  expect(canCorrectEmail(account)).toEqual({ allow: correction === 'own_student', reason: correction })
  expect(canCreateLoginLink(account)).toEqual({ allow: link === 'own_student', reason: link })
})

test.each([
  ['open until its end', { usedAt: null, canceledAt: null, expiresAt: at(1) }, 'open'],
  ['expired at its end', { usedAt: null, canceledAt: null, expiresAt: at(0) }, 'expired'],
  ['canceled, whatever its end', { usedAt: null, canceledAt: at(-5), expiresAt: at(9) }, 'canceled'],
  ['used, also after its end', { usedAt: at(-9), canceledAt: null, expiresAt: at(-1) }, 'used'],
])('a link is %s', (_name, link, state) => {
  expect(linkState(link, NOW)).toBe(state)
})
