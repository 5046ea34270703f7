import type { APIContext, APIRoute } from 'astro'
import { describe, expect, test } from 'vitest'
import { getTranslator } from '#lib/core/i18n/i18n.ts'
import { GET as getBundle } from '../../src/pages/v1/bundle/[courseId].ts'
import { GET as getRegistrations } from '../../src/pages/v1/registration/[workshopId].csv.ts'
import { GET as followRoadmap } from '../../src/pages/v1/roadmap/[id]/call.ts'
import { GET as getRoadmapImage } from '../../src/pages/v1/roadmap/[id]/image/[version].ts'
import { GET as countRoadmapView } from '../../src/pages/v1/roadmap/[id]/seen.ts'
import { GET as getOutcomes } from '../../src/pages/v1/students/[jobId].csv.ts'
import { GET as getFailedRows } from '../../src/pages/v1/students/import/[importId].csv.ts'
import { createTestTenant } from '../setup/tenants.ts'

const INVALID = ['', 'no-id', "' or 1=1 --", '00000000-0000-0000-0000-00000000000', 'null']

/** A GET request of the owner for this parameter of the URL; `actor` is null for a visitor. */
async function get(route: APIRoute, name: string, value: string, signedIn = true): Promise<Response> {
  const { tenant, as } = await createTestTenant()
  const url = new URL('https://school.test/')
  const locals = { actor: signedIn ? as.OWNER : null, school: tenant, locale: 'uk', t: getTranslator('uk') }
  const context = { request: new Request(url), url, locals, params: { [name]: value } }
  return (await route(context as never as APIContext)) as Response
}

describe('a URL without a valid id', () => {
  test.each([
    ['course file', getBundle, 'courseId'],
    ['registrations', getRegistrations, 'workshopId'],
    ['step of a road map', followRoadmap, 'id'],
    ['image of a road map', getRoadmapImage, 'id'],
    ['failed rows of an import', getFailedRows, 'importId'],
    ['outcomes of a bulk action', getOutcomes, 'jobId'],
  ] as const)('is not found: %s', async (_name, route, parameter) => {
    for (const value of INVALID) {
      await expect((async () => get(route, parameter, value))(), value).rejects.toMatchObject({ code: 'not_found' })
    }
  })

  test('counts no view of a road map', async () => {
    for (const value of INVALID) expect((await get(countRoadmapView, 'id', value, false)).status).toBe(200)
  })
})
