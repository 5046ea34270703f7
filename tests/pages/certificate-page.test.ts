import reactRenderer from '@astrojs/react/server.js'
import { experimental_AstroContainer as AstroContainer } from 'astro/container'
import { beforeAll, expect, test } from 'vitest'
import { claimCertificate, listOwnCertificates } from '#lib/certificate/issue/claim.ts'
import { issueDue } from '#lib/certificate/issue/issue.ts'
import { expireCertificates, reissueCertificate, revokeCertificate } from '#lib/certificate/issue/lifecycle.ts'
import { getTranslator } from '#lib/core/i18n/i18n.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { getTenant } from '#lib/tenant/tenant.ts'
import { completeCourse, createCertifiedCourse } from '../setup/course/earned-certificate.ts'
import { addTestMember, createOtherTenant, createTestTenant, type TestTenant } from '../setup/tenants.ts'

type Component = Parameters<AstroContainer['renderToString']>[0]

// By a pattern: the type checker of this file does not support .astro files.
const PAGES = import.meta.glob<{ default: Component }>('../../src/pages/c/*.astro', { eager: true })
const NAME = 'Ґанна Їжакевич-Щукіна'

let container: AstroContainer
let ours: TestTenant
let owner: Actor
beforeAll(async () => {
  container = await AstroContainer.create()
  container.addServerRenderer({ name: '@astrojs/react', renderer: reactRenderer })
  ours = await createTestTenant()
  owner = ours.as.OWNER
})

/** The public page of a certificate as a visitor of the school sees it. */
async function open(publicId: string, tenantId = ours.tenant.id): Promise<string> {
  const page = Object.values(PAGES)[0]
  if (!page) throw new Error('there is no page of a certificate')
  const school = await getTenant(tenantId)
  const host = { kind: 'school', subdomain: school.subdomain }
  const locals = { actor: null, host, school, locale: 'uk', theme: 'system', t: getTranslator('uk'), token: null }
  const request = new Request(`http://${school.subdomain}.kafedra.localhost/c/${publicId}`)
  return container.renderToString(page.default, { params: { id: publicId }, request, locals: locals as never })
}

let students = 0
/** A certificate issued to a new student. */
async function issue(rule: Parameters<typeof createCertifiedCourse>[1] = {}) {
  students += 1
  const student = await addTestMember(ours, 'STUDENT', `verified-${students}@school.test`)
  const course = await createCertifiedCourse(owner, rule)
  await completeCourse(owner, student, course)
  const { certificateId } = await claimCertificate(student, { courseId: course.courseId, name: NAME, delivery: null })
  const run = { signal: new AbortController().signal }
  await issueDue({ tenantId: ours.tenant.id, courseId: course.courseId }, run)
  const [own] = await listOwnCertificates(student)
  return { certificateId, student, publicId: own?.publicId ?? '', number: own?.number ?? '' }
}

test('a valid certificate shows whose it is, its number, a QR code of its address, and what can be downloaded', async () => {
  const { publicId, number } = await issue()
  const page = await open(publicId)
  expect(page).toContain('Сертифікат дійсний')
  expect(page).toContain(NAME)
  expect(page).toContain(number)
  expect(page).toContain('data:image/svg+xml')
  expect(page).toContain(`/v1/certificate/${publicId}/certificate.pdf`)
  expect(page).toContain(`/v1/certificate/${publicId}/badge.jwt`)
  expect(page).toContain(`/v1/certificate/${publicId}/image.png?share`)
  expect(page).toContain('noindex')
})

test('an expired and a revoked one say so and offer nothing to download', async () => {
  const expired = await issue({ validMonths: 1 })
  await expireCertificates(new Date(Date.now() + 40 * 86_400_000))
  const revoked = await issue()
  await revokeCertificate(owner, { certificateId: revoked.certificateId, reason: 'Видано помилково' })
  for (const [{ publicId }, verdict] of [
    [expired, 'Строк дії сертифіката минув'],
    [revoked, 'Сертифікат відкликано'],
  ] as const) {
    const page = await open(publicId)
    expect(page).toContain(verdict)
    expect(page).not.toContain('Сертифікат дійсний')
    expect(page).not.toContain('certificate.pdf')
    expect(page).not.toContain('Видано помилково')
  }
})

test('a replaced one leads to the new one, whose history leads back', async () => {
  const { certificateId, publicId, student } = await issue()
  await reissueCertificate(owner, { certificateId, name: 'Ганна Їжакевич', note: '' })
  const [next] = await listOwnCertificates(student)
  expect(await open(publicId)).toContain(`href="/c/${next?.publicId}"`)
  const page = await open(next?.publicId ?? '')
  expect(page).toContain('Ганна Їжакевич')
  expect(page).toContain(`href="/c/${publicId}"`)
})

test('one of another school is not found', async () => {
  const { publicId } = await issue()
  const theirs = await createOtherTenant()
  await expect(open(publicId, theirs.tenant.id)).rejects.toMatchObject({ code: 'not_found' })
})
