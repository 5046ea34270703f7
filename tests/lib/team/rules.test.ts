import { expect, test } from 'vitest'
import { ROLES } from '#lib/core/shared/role.ts'
import { canActOnMember, canManageTeam, TEAM_ACTIONS } from '#lib/team/rules.ts'

const TARGETS = ['OWNER', 'DIRECTOR', 'EXPERT', 'CURATOR', 'MEMBER'] as const
const MATRIX = ROLES.flatMap((role) =>
  TARGETS.flatMap((target) => TEAM_ACTIONS.map((action) => ({ role, target, action }))),
)

test.each(MATRIX)('$role may $action $target only as permitted by the team rules', ({ role, target, action }) => {
  const { allow } = canActOnMember({ roles: [role], membershipId: '1' }, { id: '2', roles: [target] }, action)
  const isManager = role === 'OWNER' || role === 'DIRECTOR'
  const expected =
    action === 'receive_ownership' ? role === 'OWNER' && target !== 'OWNER' : isManager && target !== 'OWNER'
  expect(allow).toBe(expected)
})

test.each(['OWNER', 'DIRECTOR'] as const)('a %s does not block or remove the own membership', (role) => {
  for (const action of TEAM_ACTIONS) {
    const { allow } = canActOnMember({ roles: [role], membershipId: '1' }, { id: '1', roles: [role] }, action)
    const isHarmless = action === 'change' || action === 'plan_vacation'
    // Ownership cannot be transferred to oneself, or by a director.
    expect(allow, action).toBe(isHarmless)
  }
})

test('only owner and director manage the team', () => {
  expect(ROLES.filter((role) => canManageTeam({ roles: [role] }).allow)).toEqual(['OWNER', 'DIRECTOR'])
})
