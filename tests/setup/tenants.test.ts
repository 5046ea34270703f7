import { expect, test } from 'vitest'
import { ROLES } from '#lib/core/shared/role.ts'
import { createOtherTenant, createTestTenant } from './tenants.ts'

test('a test tenant has one signed-in member of every role', async () => {
  const { as, tenant, token } = await createTestTenant('Школа гри')
  for (const role of ROLES) {
    expect(as[role]).toMatchObject({ roles: [role], tenantId: tenant.id, tenantName: 'Школа гри' })
    expect(token[role].length).toBeGreaterThan(20)
  }
  expect(as.STUDENT.accountType).toBe('ACCOUNT_TYPE_STUDENT')
  expect(as.OWNER.plans.map(({ group }) => group).sort()).toEqual(['lms', 'workshop'])
})

test('a second test tenant has another id', async () => {
  const [first, other] = [await createTestTenant(), await createOtherTenant()]
  expect(other.tenant.id).not.toBe(first.tenant.id)
})
