import { expect, test } from 'vitest'
import { invitationLinkState, isOfDomain } from '#lib/course/invitation-link/rules.ts'

const now = new Date('2026-11-23T12:00:00Z')
const earlier = new Date('2026-11-23T11:59:59Z')
const later = new Date('2026-11-23T12:00:01Z')
const fresh = { revokedAt: null, expiresAt: null, maxUses: null, useCount: 0 }

test.each([
  [{}, 'open'],
  [{ useCount: 9999 }, 'open'],
  [{ expiresAt: later }, 'open'],
  [{ expiresAt: now }, 'expired'],
  [{ expiresAt: earlier }, 'expired'],
  [{ maxUses: 2, useCount: 1 }, 'open'],
  [{ maxUses: 2, useCount: 2 }, 'used_up'],
  [{ maxUses: 2, useCount: 2, expiresAt: earlier }, 'expired'],
  [{ maxUses: 2, useCount: 2, expiresAt: earlier, revokedAt: earlier }, 'revoked'],
])('a link with %o is %s', (change, state) => {
  expect(invitationLinkState({ ...fresh, ...change }, now)).toBe(state)
})

test.each([
  ['anna@university.test', null, true],
  ['anna@university.test', 'university.test', true],
  ['anna@math.university.test', 'university.test', false],
  ['anna@notuniversity.test', 'university.test', false],
  ['university.test@elsewhere.test', 'university.test', false],
])('%s is of the domain %s: %s', (email, domain, isAllowed) => {
  expect(isOfDomain(email, domain)).toBe(isAllowed)
})
