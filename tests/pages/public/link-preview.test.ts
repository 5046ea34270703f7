import type { APIContext } from 'astro'
import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { inTenant } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { parseMediaPath, verifyMediaToken } from '#lib/core/files/media-url.ts'
import { ANYONE } from '#lib/core/files/url-token.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { changeLessons } from '#lib/course/outline/bulk-change.ts'
import { course } from '#lib/course/table.ts'
import { getTenant, type TenantView } from '#lib/tenant/tenant.ts'
import { workshop } from '#lib/workshop/table.ts'
import { GET } from '../../../src/pages/v1/cover/[kind]/[id].ts'
import { publishedCourse } from '../../setup/course/groups.ts'
import { insertFiles } from '../../setup/files.ts'
import { createWebinar } from '../../setup/meeting/events.ts'
import { createSoldOffer } from '../../setup/offer/orders.ts'
import { type PageModules, renderPage } from '../../setup/render-page.ts'
import { createOtherTenant, createTestTenant } from '../../setup/tenants.ts'

const PAGES = import.meta.glob<PageModules[string]>(
  '../../../src/pages/{course/[[]courseId[]]/index,course/[[]courseId[]]/lesson/[[]lessonId[]],checkout/[[]id[]],workshops/register/[[]id[]]}.astro',
  { eager: true },
)

let school: TenantView
let owner: Actor
let courseId: string
let lessonId: string
let offerId: string
let workshopId: string
let coverId: string
beforeAll(async () => {
  const home = await createTestTenant()
  owner = home.as.OWNER
  school = await getTenant(home.tenant.id)
  const [id = ''] = await insertFiles(owner, [{ name: 'cover.png', kind: 'image', mime: 'image/png' }])
  coverId = id
  const made = await publishedCourse(owner)
  courseId = made.courseId
  lessonId = made.lessonIds[0] ?? ''
  await changeLessons(owner, { courseId, lessonIds: [lessonId], change: { freePreview: true } })
  offerId = await createSoldOffer(owner, courseId)
  workshopId = (await createWebinar(owner)).workshopId
  await inTenant(owner, async (tx) => {
    await tx.update(course).set({ coverFileId: coverId }).where(eq(course.id, courseId))
    await tx.update(workshop).set({ coverFileId: coverId }).where(eq(workshop.id, workshopId))
  })
})

const imageOf = (html: string) => /<meta property="og:image" content="([^"]*)"/.exec(html)?.[1]

async function open(file: string, path: string, params: Record<string, string>): Promise<string> {
  return (await renderPage(PAGES[`../../../src/pages/${file}.astro`], { path, actor: null, params, school })).html
}

async function get(kind: string, id: string, at: TenantView | null = school): Promise<Response> {
  return (await GET({ locals: { school: at }, params: { kind, id } } as never as APIContext)) as Response
}

describe('the preview of a link', () => {
  const pages = () =>
    [
      ['course/[courseId]/index', `/course/${courseId}`, { courseId }, `course/${courseId}`],
      [
        'course/[courseId]/lesson/[lessonId]',
        `/course/${courseId}/lesson/${lessonId}`,
        { courseId, lessonId },
        `course/${courseId}`,
      ],
      ['checkout/[id]', `/checkout/${offerId}`, { id: offerId }, `course/${courseId}`],
      ['workshops/register/[id]', `/workshops/register/${workshopId}`, { id: workshopId }, `event/${workshopId}`],
    ] as const

  test('has the cover at a stable address on every public page', async () => {
    for (const [file, path, params, cover] of pages()) {
      const html = await open(file, path, params)
      expect(imageOf(html), path).toMatch(new RegExp(`^https?://${school.subdomain}\\.[^/]+/v1/cover/${cover}$`))
      for (const name of ['title', 'description', 'url', 'site_name', 'type'])
        expect(html, path).toMatch(new RegExp(`<meta property="og:${name}" content="[^"]+"`))
    }
  })

  test('has no picture without a cover', async () => {
    const other = await publishedCourse(owner)
    expect(imageOf(await open('course/[courseId]/index', `/course/${other.courseId}`, other as never))).toBeUndefined()
    await expect(get('course', other.courseId)).rejects.toMatchObject({ code: 'not_found' })
  })
})

describe('the address of a cover', () => {
  test('leads everyone to the picture, and may be cached for less than that is valid', async () => {
    for (const [kind, id] of [
      ['course', courseId],
      ['event', workshopId],
    ] as const) {
      const { status, headers } = await get(kind, id)
      expect([status, headers.get('cache-control')]).toEqual([302, 'public, max-age=600'])
      const location = new URL(headers.get('location') ?? '', 'http://school.test')
      const media = parseMediaPath(location.pathname)
      expect(media).toMatchObject({ tenantId: school.id, fileId: coverId })
      expect(media && verifyMediaToken(media, [ANYONE])).not.toBeNull()
    }
  })

  test('is not found for drafts, for other schools, and for other ids and kinds', async () => {
    const { id: otherId } = (await createOtherTenant()).tenant
    const other = await getTenant(otherId)
    const requests: Parameters<typeof get>[] = [
      ['course', courseId, other],
      ['event', workshopId, other],
      ['course', courseId, null],
      ['course', workshopId],
      ['course', 'x'],
      ['event', newId()],
      ['file', coverId],
      ['__proto__', courseId],
    ]
    for (const request of requests) await expect(get(...request)).rejects.toMatchObject({ code: 'not_found' })
    await inTenant(owner, async (tx) => {
      await tx.update(course).set({ status: 'draft' }).where(eq(course.id, courseId))
      await tx.update(workshop).set({ publication: 'draft' }).where(eq(workshop.id, workshopId))
    })
    await expect(get('course', courseId)).rejects.toMatchObject({ code: 'not_found' })
    await expect(get('event', workshopId)).rejects.toMatchObject({ code: 'not_found' })
  })
})
