import { beforeAll, expect, test, vi } from 'vitest'
import { checkRehearsal } from '#lib/workshop/rehearsal/rehearsal-check.ts'
import { createWorkshop } from '../../setup/parsed/workshop.ts'

import { createTestTenant, type TestTenant } from '../../setup/tenants.ts'

const disk = vi.hoisted(() => ({ freeBytes: 0 }))
vi.mock('node:fs/promises', async (importOriginal) => {
  const real = await importOriginal<typeof import('node:fs/promises')>()
  return { ...real, statfs: async () => ({ bavail: disk.freeBytes, bsize: 1 }) }
})
vi.mock('#lib/core/config/config.ts', async (importOriginal) => {
  const { config } = await importOriginal<typeof import('#lib/core/config/config.ts')>()
  return { config: { ...config, diskReserve: 1_000_000 } }
})

let ours: TestTenant
beforeAll(async () => {
  ours = await createTestTenant()
})

test('a rehearsal shows how much of the disk a recording may use, without the reserve', async () => {
  const { OWNER } = ours.as
  const event = { type: 'webinar' as const, title: 'Ефір', timeZone: 'Europe/Kyiv', plannedMinutes: 60 }
  const { workshopId } = await createWorkshop(OWNER, event)
  disk.freeBytes = 5_000_000
  const { disk: checked } = await checkRehearsal(OWNER, { workshopId })
  expect(checked).toEqual({ free: 4_000_000, requiredBytes: 60 * 30_000_000 })
  disk.freeBytes = 999_999
  expect((await checkRehearsal(OWNER, { workshopId })).disk.free).toBe(0)
})
