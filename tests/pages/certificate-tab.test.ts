import reactRenderer from '@astrojs/react/server.js'
import { experimental_AstroContainer as AstroContainer } from 'astro/container'
import { beforeAll, expect, test } from 'vitest'
import { claimCertificate, getOwnCertificate, listOwnCertificates } from '#lib/certificate/issue/claim.ts'
import { issueDue } from '#lib/certificate/issue/issue.ts'
import { getTranslator } from '#lib/core/i18n/i18n.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { getCourse } from '#lib/course/course.ts'
import { setStaff } from '#lib/course/staff.ts'
import { type CertifiedCourse, completeCourse, createCertifiedCourse } from '../setup/course/earned-certificate.ts'
import { createTestTenant, type TestTenant } from '../setup/tenants.ts'

type Component = Parameters<AstroContainer['renderToString']>[0]

// By a pattern, because the type checker of this file does not support .astro files.
const COMPONENTS = import.meta.glob<{ default: Component }>(
  '../../src/pages/{course/_certificate/{Certificate,CertificateClaim},profile/_Certificates}.astro',
  { eager: true },
)
const container = await AstroContainer.create()
container.addServerRenderer({ name: '@astrojs/react', renderer: reactRenderer })
container.addClientRenderer({ name: '@astrojs/react', entrypoint: '@astrojs/react/client.js' })
const t = getTranslator('en')
const form = { to: null, status: 200, message: null, errors: {}, typed: {}, values: {}, intent: null }

let school: TestTenant
let owner: Actor
let student: Actor
let course: CertifiedCourse
beforeAll(async () => {
  school = await createTestTenant()
  owner = school.as.OWNER
  student = school.as.STUDENT
  course = await createCertifiedCourse(owner)
  await completeCourse(owner, student, course)
})

function render(name: string, props: object, path = '/'): Promise<string> {
  const component = COMPONENTS[`../../src/pages/${name}.astro`]
  if (!component) throw new Error(`there is no component ${name}`)
  const request = new Request(`http://school.kafedra.localhost${path}`)
  return container.renderToString(component.default, { props: { t, locale: 'en', form, ...props }, request })
}

async function renderTab(actor: Actor, view: string): Promise<string> {
  const props = { actor, course: await getCourse(actor, { courseId: course.courseId }) }
  return render(
    'course/_certificate/Certificate',
    props,
    `/course/edit/${course.courseId}?tab=certificate&view=${view}`,
  )
}

test('the course page of the student requests the name, and then shows the certificate', async () => {
  const { courseId } = course
  const renderOwn = async () =>
    render('course/_certificate/CertificateClaim', {
      actor: student,
      own: await getOwnCertificate(student, { courseId }),
      notice: null,
    })
  expect(await renderOwn()).toContain('value="claimCertificate"')
  await claimCertificate(student, { courseId, name: 'Hanna Yizhakevych', delivery: null })
  await issueDue({ tenantId: school.tenant.id, courseId }, { signal: new AbortController().signal })
  const [own] = await listOwnCertificates(student)
  const issued = await renderOwn()
  expect(issued).toContain(`/c/${own?.publicId}`)
  expect(issued).not.toContain('value="claimCertificate"')
  const profile = await render('profile/_Certificates', { actor: student, certificates: [own] })
  expect(profile).toContain(own?.number)
})

test('the tab shows the rule, the students, the requests and the templates to its managers', async () => {
  const rule = await renderTab(owner, 'rule')
  expect(rule).toContain('name="numberFormat"')
  // The parts of the number in words, for the chips; the explanation of the format is for people without scripts.
  expect(rule).toContain('Sequence number')
  expect(rule.replace(/<noscript>.*?<\/noscript>/gs, '')).not.toContain('{SEQ5} a five-digit sequence')
  expect(await renderTab(owner, 'students')).toContain('value="reissueCertificate"')
  const templates = await renderTab(owner, 'templates')
  expect(templates).toContain('value="createCertificateTemplate"')
  const editor = await renderTab(owner, `templates&template=${course.templateId}`)
  expect(editor).toContain('certificate-canvas')
})

test('a curator of the course changes nothing there', async () => {
  const staff = [{ memberId: school.as.CURATOR.membershipId, role: 'curator' as const }]
  await setStaff(owner, { courseId: course.courseId, staff })
  expect(await renderTab(school.as.CURATOR, 'rule')).toMatch(/<fieldset disabled/)
  expect(await renderTab(school.as.CURATOR, 'students')).not.toContain('value="reissueCertificate"')
})
