import { globSync, readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { ZodError } from 'zod'
import { findRoute } from '#lib/core/access/routes.ts'
import { newId } from '#lib/core/db/id.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { hasRole } from '#lib/core/shared/role.ts'
import { getTenant, type TenantView } from '#lib/tenant/tenant.ts'
import { publishedCourse } from '../setup/course/groups.ts'
import { createWebinar } from '../setup/meeting/events.ts'
import { createSoldOffer } from '../setup/offer/orders.ts'
import { type PageModules, renderPage } from '../setup/render-page.ts'
import { createTestTenant, type TestTenant } from '../setup/tenants.ts'

const PAGES = import.meta.glob<PageModules[string]>('../../src/pages/**/[a-z0-9[]*.astro', { eager: true })
const files = Object.keys(PAGES).filter((file) => !/\/_|\/dev\/|\/v1\//.test(file))

/** Every name of a query parameter in the pages. */
const NAMES = new Set(
  globSync('src/{pages,lib}/**/*.{astro,ts}').flatMap((file) =>
    [
      ...readFileSync(file, 'utf8').matchAll(/(?:query|params|searchParams)\.(?:get|getAll|has)\('([\w-]+)'\)/gi),
    ].flatMap(([, name]) => name ?? []),
  ),
)
const VALUES = ['', 'x', '-1', newId(), '1e99', '[object Object]', '2026-13-45', 'я'.repeat(300)]

let home: TestTenant
let school: TenantView
let ids: Record<string, string>
beforeAll(async () => {
  home = await createTestTenant()
  school = await getTenant(home.tenant.id)
  const { courseId, lessonIds } = await publishedCourse(home.as.OWNER)
  const offerId = await createSoldOffer(home.as.OWNER, courseId)
  const { workshopId } = await createWebinar(home.as.OWNER)
  ids = { courseId, lessonId: lessonIds[0] ?? '', offerId, workshopId, studentId: home.as.STUDENT.membershipId }
})

/** Ids of existing objects where the page shows one, so that its query is read. */
function paramsOf(file: string): Record<string, string> {
  const subject = file.includes('/workshops/') || file.includes('/meeting/') ? 'workshopId' : 'courseId'
  const own = file.includes('/checkout/') ? 'offerId' : file.includes('/student/') ? 'studentId' : subject
  const names = [...file.matchAll(/\[(\w+)\]/g)].flatMap(([, name]) => name ?? [])
  return Object.fromEntries(names.map((name) => [name, (name === 'id' ? ids[own] : ids[name]) ?? newId()]))
}

/** The page with this query, as the route guard lets this person open it. Returns what failed, if anything. */
async function open(file: string, query: string, role: 'OWNER' | 'STUDENT' | null): Promise<string[]> {
  const params = paramsOf(file)
  const path = file.replace('../../src/pages', '').replace(/(\/index)?\.astro$/, '')
  const filled = path.replace(/\[(\w+)\]/g, (_, name: string) => params[name] ?? '') || '/'
  const actor = role && home.as[role]
  const { roles } = findRoute(filled) ?? { roles: 'public' }
  const isAllowed = roles === 'public' || (actor && (roles === 'any' || hasRole(actor, roles)))
  if (!isAllowed) return []
  try {
    await renderPage(PAGES[file], { path: `${filled}${query}`, actor, params, school })
    return []
  } catch (error) {
    return error instanceof Refusal || error instanceof ZodError ? [] : [`${role} ${filled}${query}: ${error}`]
  }
}

describe('a page answers odd query parameters with its content or a refusal', () => {
  test.each(files)(
    '%s',
    async (file) => {
      const source = readFileSync(file.replace('../../', ''), 'utf8')
      const failed: string[] = []
      for (const role of ['OWNER', 'STUDENT', null] as const) {
        failed.push(...(await open(file, '', role)))
        for (const value of VALUES) {
          const all = [...NAMES].map((name) => [name, value])
          failed.push(...(await open(file, `?${new URLSearchParams(all)}`, role)))
        }
        // One at a time: a refusal of one parameter hides the others.
        for (const name of [...NAMES].filter((each) => source.includes(`'${each}'`)))
          for (const value of VALUES.slice(1, 2))
            failed.push(...(await open(file, `?${new URLSearchParams({ [name]: value })}`, role)))
      }
      expect(failed).toEqual([])
    },
    60_000,
  )
})
