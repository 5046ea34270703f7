import { createPublicKey } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import { eq, sql } from 'drizzle-orm'
import jwt from 'jsonwebtoken'
import { beforeAll, describe, expect, test } from 'vitest'
import { signBadge, signBadgeStatus } from '#lib/certificate/badge/badge.ts'
import { readPublicKey } from '#lib/certificate/badge/signing-key.ts'
import { checkCourse, checkStudents } from '#lib/certificate/issue/check.ts'
import { claimCertificate, getOwnCertificate, listOwnCertificates } from '#lib/certificate/issue/claim.ts'
import { issueCertificates, issueDue, issueToAll, runIssueToAll } from '#lib/certificate/issue/issue.ts'
import { expireCertificates, reissueCertificate, revokeCertificate } from '#lib/certificate/issue/lifecycle.ts'
import { countCertificates, listQualified } from '#lib/certificate/issue/list.ts'
import { takeNumber } from '#lib/certificate/issue/number.ts'
import { readCertificate } from '#lib/certificate/issue/public.ts'
import { loadDrawing, readPdf } from '#lib/certificate/issue/render.ts'
import { ClaimCertificate, RevokeCertificate } from '#lib/certificate/issue/schema.ts'
import { openCertificateZip } from '#lib/certificate/issue/zip.ts'
import { getRule, saveRule } from '#lib/certificate/rule/rule.ts'
import { ListQualified, RuleText } from '#lib/certificate/rule/schema.ts'
import { certificate, certificateCheck } from '#lib/certificate/table.ts'
import { deleteTemplate, getTemplate, saveTemplate } from '#lib/certificate/template/template.ts'
import { inTenant } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { ROLES } from '#lib/core/shared/role.ts'
import { grantAccess } from '#lib/course/access/grants.ts'
import { completeLesson } from '#lib/course/learning/completion.ts'
import { auditedActions } from '../../setup/audit.ts'
import { type CertifiedCourse, completeCourse, createCertifiedCourse } from '../../setup/course/earned-certificate.ts'
import { whileRowsFail } from '../../setup/failing-rows.ts'
import { listAuditEntries } from '../../setup/parsed/audit.ts'
import { listEmailsTo } from '../../setup/servers/sent-emails.ts'
import { addTestMember, createOtherTenant, createTestTenant, type TestTenant } from '../../setup/tenants.ts'
import { AchievementCredential } from './open-badge.ts'

const code = (refused: string) => expect.objectContaining({ code: refused })
const attempt = async (action: () => Promise<unknown>) => action()
const run = { signal: new AbortController().signal }

let ours: TestTenant
let theirs: TestTenant
let owner: Actor
beforeAll(async () => {
  ours = await createTestTenant()
  theirs = await createOtherTenant()
  owner = ours.as.OWNER
})

/** Like the procedure, which normalizes the name. */
const claim = (student: Actor, input: { courseId: string; name: string }) =>
  claimCertificate(student, ClaimCertificate.parse(input))

let students = 0
async function newStudent(): Promise<Actor> {
  students += 1
  return addTestMember(ours, 'STUDENT', `certified-${students}@school.test`)
}

/** What the owner is notified of with a link. */
async function blockedNotifications(link: string) {
  const { rows } = await inTenant(owner, (tx) =>
    tx.execute<{ data: unknown }>(sql`select data from notification where kind = 'certificate_blocked'
      and link = ${link} and member_id = ${owner.membershipId}`),
  )
  return rows.map(({ data }) => data)
}

const issueWaiting = ({ courseId }: CertifiedCourse) => issueDue({ tenantId: ours.tenant.id, courseId }, run)

/** A certificate that was issued after the student confirmed the name. */
async function issued(rule: Parameters<typeof createCertifiedCourse>[1] = {}) {
  const course = await createCertifiedCourse(owner, rule)
  const student = await newStudent()
  await completeCourse(owner, student, course)
  const { certificateId } = await claim(student, {
    courseId: course.courseId,
    name: 'Ґанна Їжакевич-Щукіна',
  })
  await issueWaiting(course)
  const [own] = await listOwnCertificates(student)
  if (!own) throw new Error('no certificate was issued')
  return { course, student, certificateId, own }
}

describe('earning', () => {
  test('a student who lacks lessons is refused and sees what is missing', async () => {
    const course = await createCertifiedCourse(owner)
    const student = await newStudent()
    await grantAccess(owner, { courseId: course.courseId, studentId: student.membershipId })
    await completeLesson(student, { lessonId: course.lessonIds[0] ?? '' })
    const tryClaim = () => claim(student, { courseId: course.courseId, name: 'Ім’я' })
    await expect(attempt(tryClaim)).rejects.toEqual(code('unprocessable'))
    expect(await getOwnCertificate(student, { courseId: course.courseId })).toMatchObject({
      missing: [{ key: 'completion', percent: 50, needed: 100 }],
      certificate: null,
    })
  })

  test('the progress of a student is noted, the job asks for the name once, and the certificate follows the name', async () => {
    const course = await createCertifiedCourse(owner)
    const student = await newStudent()
    await completeCourse(owner, student, course)
    await checkStudents(new Date(Date.now() + 1000))
    await checkStudents(new Date(Date.now() + 1000))
    const waiting = await inTenant(owner, (tx) =>
      tx.select().from(certificateCheck).where(eq(certificateCheck.courseId, course.courseId)),
    )
    expect(waiting).toEqual([])
    const [pending] = await listOwnCertificates(student)
    expect(pending).toMatchObject({ state: 'pending', number: null, nameConfirmedAt: null })
    await issueWaiting(course)
    expect((await listOwnCertificates(student))[0]?.state).toBe('pending')
    await claim(student, { courseId: course.courseId, name: ' Ґанна  Їжакевич-Щукіна ' })
    await issueWaiting(course)
    await issueWaiting(course)
    expect((await listOwnCertificates(student))[0]).toMatchObject({ state: 'issued', number: expect.any(String) })
    const emails = await listEmailsTo(student.email, ours.tenant.id)
    expect(emails.map(({ subject }) => subject).filter((subject) => subject.includes('сертифікат'))).toHaveLength(2)
    expect(await auditedActions(owner, student.membershipId)).toContain('certificate.issued')
  })

  test('a course that fails does not keep the certificates of another', async () => {
    const courses = [await createCertifiedCourse(owner), await createCertifiedCourse(owner)]
    const student = await newStudent()
    for (const course of courses) await completeCourse(owner, student, course)
    const failingId = courses.map(({ courseId }) => courseId).sort()[0] ?? ''
    await whileRowsFail({ table: 'certificate', column: 'course_id', value: failingId }, async () => {
      await expect(checkStudents(new Date(Date.now() + 1000))).rejects.toThrow('1 of 2 items failed')
    })
    expect(await listOwnCertificates(student)).toHaveLength(1)
    await checkStudents(new Date(Date.now() + 1000))
    expect(await listOwnCertificates(student)).toHaveLength(2)
  })

  test('without the confirmation of the name the job issues at once', async () => {
    const course = await createCertifiedCourse(owner, { confirmName: false, validMonths: 12 })
    const student = await newStudent()
    await completeCourse(owner, student, course)
    await checkStudents(new Date(Date.now() + 1000))
    await issueWaiting(course)
    const [own] = await listOwnCertificates(student)
    expect(own?.state).toBe('issued')
    expect(own?.expiresAt?.getTime()).toBeGreaterThan(Date.now() + 360 * 86_400_000)
  })

  test('a name that the fonts cannot draw is refused, and gets no number', async () => {
    const course = await createCertifiedCourse(owner, { confirmName: false })
    const student = await newStudent()
    await completeCourse(owner, student, course)
    const tryClaim = () => claim(student, { courseId: course.courseId, name: 'ნინო Nino 🎓' })
    await expect(attempt(tryClaim)).rejects.toMatchObject({
      details: { fields: { name: ['certificate_characters'] }, variables: { characters: 'ნ, ი, ო, 🎓' } },
    })
    await checkStudents(new Date(Date.now() + 1000))
    await inTenant(owner, (tx) =>
      tx.update(certificate).set({ nameAsPrinted: '李' }).where(eq(certificate.courseId, course.courseId)),
    )
    await issueWaiting(course)
    expect((await listOwnCertificates(student))[0]).toMatchObject({
      state: 'pending',
      number: null,
      nameConfirmedAt: null,
    })
    // The job tries again for any reason: the staff is notified once.
    await inTenant(owner, (tx) =>
      tx.update(certificate).set({ dueAt: new Date() }).where(eq(certificate.courseId, course.courseId)),
    )
    await issueWaiting(course)
    expect(await blockedNotifications(`/student/${student.membershipId}`)).toEqual([
      { subject: '李', context: '李 · Основи фотографії' },
    ])
    await claim(student, { courseId: course.courseId, name: 'Lǐ Wěi О’Коннор-Ґудзь' })
    await issueWaiting(course)
    expect((await listOwnCertificates(student))[0]?.state).toBe('issued')
  })

  test('a title with characters that the fonts lack is refused before a number is used', async () => {
    const course = await createCertifiedCourse(owner)
    const student = await newStudent()
    await completeCourse(owner, student, course)
    await claim(student, { courseId: course.courseId, name: 'Ганна Їжак' })
    const rename = (title: string) =>
      inTenant(owner, (tx) => tx.execute(sql`update course set title = ${title} where id = ${course.courseId}`))
    const tryIssue = () => issueCertificates(owner, { courseId: course.courseId, studentIds: [student.membershipId] })
    await rename('Курс ქართული 🎓')
    await expect(attempt(tryIssue)).rejects.toMatchObject({
      details: {
        fields: { form: ['certificate_text_characters'] },
        variables: { characters: 'ქ, ა, რ, თ, უ, ლ, ი, 🎓' },
      },
    })
    await issueWaiting(course)
    expect((await listOwnCertificates(student))[0]).toMatchObject({ state: 'pending', number: null })
    expect(await blockedNotifications(`/course/edit/${course.courseId}?tab=certificate`)).toEqual([
      { subject: 'ქ, ა, რ, თ, უ, ლ, ი, 🎓', context: 'Курс ქართული 🎓' },
    ])
    await rename('Курс грузинської')
    await tryIssue()
    await issueWaiting(course)
    expect((await listOwnCertificates(student))[0]?.state).toBe('issued')
  })

  test('the suggested name contains the patronymic', async () => {
    const course = await createCertifiedCourse(owner)
    const student = await newStudent()
    await completeCourse(owner, student, course)
    await inTenant(owner, (tx) =>
      tx.execute(sql`update "user" set first_name = 'Ганна', patronymic = 'Петрівна', last_name = 'Їжак'
        where id = (select user_id from membership where id = ${student.membershipId})`),
    )
    expect((await getOwnCertificate(student, { courseId: course.courseId }))?.name).toBe('Ганна Петрівна Їжак')
    await checkStudents(new Date(Date.now() + 1000))
    expect((await listOwnCertificates(student))[0]?.name).toBe('Ганна Петрівна Їжак')
  })

  test('the team issues nothing by a rule that is disabled or for certificates on paper', async () => {
    const student = await newStudent()
    for (const rule of [{ enabled: false }, { type: 'manual' as const }]) {
      const course = await createCertifiedCourse(owner, rule)
      await completeCourse(owner, student, course)
      const { courseId } = course
      const refused = { details: { fields: { form: ['certificate_no_rule'] } } }
      await expect(issueCertificates(owner, { courseId, studentIds: [student.membershipId] })).rejects.toMatchObject(
        refused,
      )
      await expect(issueToAll(owner, { courseId })).rejects.toMatchObject(refused)
      // The rule was changed after the job was queued.
      await runIssueToAll({ tenantId: ours.tenant.id, courseId, issuedBy: owner.membershipId }, run)
    }
    expect(await listOwnCertificates(student)).toEqual([])
  })

  test('two forms at the same time make one certificate', async () => {
    const course = await createCertifiedCourse(owner)
    const student = await newStudent()
    await completeCourse(owner, student, course)
    const claims = await Promise.all(
      [1, 2, 3].map(() => claim(student, { courseId: course.courseId, name: 'Ім’я Прізвище' })),
    )
    expect(new Set(claims.map(({ certificateId }) => certificateId)).size).toBe(1)
    expect(await listOwnCertificates(student)).toHaveLength(1)
  })

  test('a rule without automatic issuing waits for the team', async () => {
    const course = await createCertifiedCourse(owner, { autoIssue: false })
    const student = await newStudent()
    const idle = await newStudent()
    await completeCourse(owner, student, course)
    await grantAccess(owner, { courseId: course.courseId, studentId: idle.membershipId })
    await checkCourse({ tenantId: ours.tenant.id, courseId: course.courseId }, run)
    expect(await listOwnCertificates(student)).toEqual([])
    await claim(student, { courseId: course.courseId, name: 'Так написав студент' })
    await issueWaiting(course)
    expect((await listOwnCertificates(student))[0]?.state).toBe('pending')
    const studentIds = [student.membershipId, idle.membershipId]
    const { courseId } = course
    expect(await issueCertificates(ours.as.EXPERT, { courseId, studentIds })).toEqual({ queued: 1, skipped: 1 })
    expect(await issueCertificates(ours.as.EXPERT, { courseId, studentIds })).toEqual({ queued: 0, skipped: 2 })
    await issueWaiting(course)
    expect((await listOwnCertificates(student))[0]).toMatchObject({ state: 'issued', name: 'Так написав студент' })
    expect(await listOwnCertificates(idle)).toEqual([])
    const { items } = await listQualified(owner, ListQualified.parse({ courseId }))
    expect(items.map(({ missing, certificate: own }) => [missing.length, own?.state ?? null]).sort()).toEqual([
      [0, 'issued'],
      [1, null],
    ])
  })
})

describe('numbers', () => {
  test('have no gap and no duplicate under concurrency', async () => {
    const parts = { subdomain: 'school', courseSlug: 'foto', day: '2026-11-23' }
    const take = (fails: boolean) =>
      inTenant(owner, async (tx) => {
        const number = await takeNumber(tx, ours.tenant.id, 'X-{SEQ3}', parts)
        if (fails) throw new Error('rolled back')
        return number
      }).catch(() => null)
    const results = await Promise.all(Array.from({ length: 24 }, (_, index) => take(index % 4 === 0)))
    const numbers = results.filter((number) => number !== null).sort()
    expect(numbers).toEqual(Array.from({ length: 18 }, (_, index) => `X-${String(index + 1).padStart(3, '0')}`))
  })

  test('of certificates issued to all are consecutive', async () => {
    const course = await createCertifiedCourse(owner, { autoIssue: false, numberFormat: 'BULK-{SEQ4}' })
    const group = await Promise.all([newStudent(), newStudent(), newStudent()])
    for (const student of group) await completeCourse(owner, student, course)
    const job = { tenantId: ours.tenant.id, courseId: course.courseId, issuedBy: owner.membershipId }
    await runIssueToAll(job, run)
    await Promise.all([issueWaiting(course), issueWaiting(course)])
    await issueWaiting(course)
    const numbers = await Promise.all(group.map(async (student) => (await listOwnCertificates(student))[0]?.number))
    expect(numbers.sort()).toEqual(['BULK-0001', 'BULK-0002', 'BULK-0003'])
    expect(await countCertificates(owner, { courseId: course.courseId })).toMatchObject({ issued: 3, pending: 0 })
    const { body } = await openCertificateZip(owner, { courseId: course.courseId })
    const zip = Buffer.from(await new Response(body).arrayBuffer())
    expect(zip.toString('latin1').match(/BULK-000\d\.pdf/g)?.length).toBe(6)
  })
})

describe('the public page', () => {
  test('shows a certificate to everyone, but not of another school', async () => {
    const { own } = await issued({ hours: 36 })
    const found = await readCertificate(ours.tenant.id, own.publicId)
    expect(found).toMatchObject({
      state: 'issued',
      name: 'Ґанна Їжакевич-Щукіна',
      hours: 36,
      earlier: [],
      replacedBy: null,
    })
    await expect(readCertificate(theirs.tenant.id, own.publicId)).rejects.toEqual(code('not_found'))
    await expect(readCertificate(ours.tenant.id, 'no-id')).rejects.toEqual(code('not_found'))
    const pdf = await readPdf(ours.tenant.id, found.id)
    expect(Buffer.from(pdf).subarray(0, 5).toString()).toBe('%PDF-')
    expect(Buffer.from(await readPdf(ours.tenant.id, found.id)).equals(Buffer.from(pdf))).toBe(true)
  })

  test('keeps what was issued when the template and the course change', async () => {
    const { course, own } = await issued()
    const { id: templateId, ...template } = await getTemplate(owner, { templateId: course.templateId })
    await saveTemplate(owner, { ...template, templateId, name: 'Інший', elements: [] })
    const { snapshot } = await readCertificate(ours.tenant.id, own.publicId)
    expect(snapshot.template.elements.length).toBeGreaterThan(0)
  })

  test('of a pending certificate does not exist', async () => {
    const course = await createCertifiedCourse(owner)
    const student = await newStudent()
    await completeCourse(owner, student, course)
    await claim(student, { courseId: course.courseId, name: 'Ім’я' })
    const [own] = await listOwnCertificates(student)
    await expect(readCertificate(ours.tenant.id, own?.publicId ?? '')).rejects.toEqual(code('not_found'))
  })
})

describe('reissuing, revoking and expiring', () => {
  test('a corrected name makes a new certificate, and the old page leads to it', async () => {
    const { own, certificateId, student } = await issued()
    const input = { certificateId, name: 'Ганна Їжакевич', note: 'Помилка в імені' }
    const [first, second] = await Promise.all([reissueCertificate(owner, input), reissueCertificate(owner, input)])
    expect(second).toEqual(first)
    const old = await readCertificate(ours.tenant.id, own.publicId)
    expect(old.state).toBe('replaced')
    const next = await readCertificate(ours.tenant.id, old.replacedBy?.publicId ?? '')
    expect(next).toMatchObject({ state: 'issued', name: 'Ганна Їжакевич', earlier: [{ number: own.number }] })
    expect(next.number).not.toBe(own.number)
    expect((await listOwnCertificates(student)).map(({ name }) => name)).toEqual(['Ганна Їжакевич'])
    const actions = await auditedActions(owner, student.membershipId)
    expect(actions.filter((action) => action === 'certificate.reissued')).toHaveLength(1)
    await expect(reissueCertificate(owner, { ...input, name: 'Третє' })).rejects.toEqual(code('conflict'))
  })

  test('a revoked one stays revoked, and the student cannot claim it again', async () => {
    const { own, certificateId, student, course } = await issued()
    await revokeCertificate(owner, { certificateId, reason: 'Видано помилково' })
    await revokeCertificate(owner, { certificateId, reason: 'Ще раз' })
    expect((await readCertificate(ours.tenant.id, own.publicId)).state).toBe('revoked')
    const actions = await auditedActions(owner, student.membershipId)
    expect(actions.filter((action) => action === 'certificate.revoked')).toHaveLength(1)
    const emails = await listEmailsTo(student.email, ours.tenant.id)
    expect(emails.filter(({ subject }) => subject.startsWith('Сертифікат відкликано'))).toHaveLength(1)
    const again = () => claim(student, { courseId: course.courseId, name: 'Ім’я' })
    await expect(attempt(again)).rejects.toEqual(code('unprocessable'))
    await checkCourse({ tenantId: ours.tenant.id, courseId: course.courseId }, run)
    expect((await listOwnCertificates(student)).map(({ state }) => state)).toEqual(['revoked'])
    expect(RevokeCertificate.safeParse({ certificateId, reason: ' ' }).success).toBe(false)
  })

  test('the PDF and the image of a revoked or replaced one are marked at once, in both languages', async () => {
    for (const [end, mark] of [
      [
        (certificateId: string) => revokeCertificate(owner, { certificateId, reason: 'Помилка' }),
        'ВІДКЛИКАНО · REVOKED',
      ],
      [
        (certificateId: string) => reissueCertificate(owner, { certificateId, name: 'Інше', note: '' }),
        'ЗАМІНЕНО · REPLACED',
      ],
    ] as const) {
      const { certificateId } = await issued()
      const before = await readPdf(ours.tenant.id, certificateId)
      expect((await loadDrawing(ours.tenant.id, certificateId)).mark).toBeNull()
      await end(certificateId)
      expect((await loadDrawing(ours.tenant.id, certificateId)).mark).toBe(mark)
      expect(Buffer.from(await readPdf(ours.tenant.id, certificateId)).equals(Buffer.from(before))).toBe(false)
    }
  })

  test('one whose time is over has expired', async () => {
    const { own, certificateId } = await issued({ validMonths: 1 })
    const later = new Date(Date.now() + 40 * 86_400_000)
    expect(await expireCertificates(later)).toBeGreaterThanOrEqual(1)
    expect(await expireCertificates(later)).toBe(0)
    expect((await readCertificate(ours.tenant.id, own.publicId)).state).toBe('expired')
    const [row] = await inTenant(owner, (tx) => tx.select().from(certificate).where(eq(certificate.id, certificateId)))
    expect(row?.history.map(({ state }) => state)).toEqual(['pending', 'issued', 'expired'])
  })
})

describe('the badge', () => {
  const school = () => ({ id: ours.tenant.id, subdomain: ours.tenant.subdomain, name: 'Школа' })

  test('is verified by an independent library with the published key', async () => {
    const { own } = await issued({ validMonths: 24 })
    const token = await signBadge(school(), own.publicId)
    const kid = jwt.decode(token, { complete: true })?.header.kid ?? ''
    const keyId = /\/v1\/certificate\/key\/(.+)\.json$/.exec(kid)?.[1] ?? ''
    const key = await readPublicKey(ours.tenant.id, keyId)
    expect(key).not.toHaveProperty('d')
    const publicKey = createPublicKey({ key: { ...key }, format: 'jwk' })
    const credential = jwt.verify(token, publicKey, { algorithms: ['RS256'] })
    expect(credential).toMatchObject({
      type: ['VerifiableCredential', 'OpenBadgeCredential'],
      issuer: { type: ['Profile'], name: 'Школа' },
      credentialSubject: {
        type: ['AchievementSubject'],
        identifier: [{ identityHash: 'Ґанна Їжакевич-Щукіна' }, { identityHash: own.number }],
        achievement: { type: ['Achievement'], name: 'Основи фотографії', criteria: { narrative: expect.any(String) } },
      },
      validUntil: own.expiresAt?.toISOString(),
    })
    const [head = '', body = '', signature = ''] = token.split('.')
    const forged = JSON.parse(Buffer.from(body, 'base64url').toString())
    forged.credentialSubject.identifier[0].identityHash = 'Інша людина'
    const forgedToken = [head, Buffer.from(JSON.stringify(forged)).toString('base64url'), signature].join('.')
    expect(() => jwt.verify(forgedToken, publicKey, { algorithms: ['RS256'] })).toThrow()
  })

  test.each([{ validMonths: 24 }, {}])('has the data model of Open Badges 3.0 with the rule %o', async (rule) => {
    const { own } = await issued(rule)
    const credential = jwt.decode(await signBadge(school(), own.publicId))
    expect(AchievementCredential.safeParse(credential).error?.issues ?? []).toEqual([])
    const { description: _, ...achievement } = AchievementCredential.parse(credential).credentialSubject.achievement
    const incomplete = {
      ...Object(credential),
      credentialSubject: { ...Object(credential).credentialSubject, achievement },
    }
    expect(AchievementCredential.safeParse(incomplete).success).toBe(false)
  })

  test('name a signed status list that is set by the revocation only', async () => {
    const { own, certificateId } = await issued()
    const badge = AchievementCredential.parse(jwt.decode(await signBadge(school(), own.publicId)))
    const statusOf = async () => {
      const token = await signBadgeStatus(school(), own.publicId)
      const { header, payload } = jwt.decode(token, { complete: true }) ?? {}
      const key = await readPublicKey(ours.tenant.id, header?.kid?.match(/key\/(.*)\.json$/)?.[1] ?? '')
      const publicKey = createPublicKey({ key: { ...key }, format: 'jwk' })
      expect(jwt.verify(token, publicKey, { algorithms: ['RS256'] })).toMatchObject({
        id: badge.credentialStatus.statusListCredential,
        type: ['VerifiableCredential', 'BitstringStatusListCredential'],
        issuer: badge.issuer.id,
        credentialSubject: { type: 'BitstringStatusList', statusPurpose: 'revocation' },
      })
      const encoded: string = Object(payload).credentialSubject.encodedList
      expect(encoded.startsWith('u')).toBe(true)
      const bits = gunzipSync(Buffer.from(encoded.slice(1), 'base64url'))
      expect(bits).toHaveLength(16_384)
      const index = Number(badge.credentialStatus.statusListIndex)
      return ((bits[index >> 3] ?? 0) >> (7 - (index % 8))) & 1
    }
    expect(await statusOf()).toBe(0)
    await revokeCertificate(owner, { certificateId, reason: 'Помилка' })
    expect(await statusOf()).toBe(1)
    await expect(signBadgeStatus({ ...school(), id: theirs.tenant.id }, own.publicId)).rejects.toEqual(
      code('not_found'),
    )
  })

  test('of two schools have separate keys, and a revoked one has none', async () => {
    const { own, certificateId } = await issued()
    const [first, second] = await Promise.all([signBadge(school(), own.publicId), signBadge(school(), own.publicId)])
    const kidOf = (token: string) => jwt.decode(token, { complete: true })?.header.kid
    expect(kidOf(first)).toBe(kidOf(second))
    const keyId = /key\/(.+)\.json$/.exec(kidOf(first) ?? '')?.[1] ?? ''
    await expect(readPublicKey(theirs.tenant.id, keyId)).rejects.toEqual(code('not_found'))
    await revokeCertificate(owner, { certificateId, reason: 'Причина' })
    await expect(signBadge(school(), own.publicId)).rejects.toEqual(code('gone'))
  })
})

describe('who may do what', () => {
  test('only owners, directors and experts change rules, templates and certificates', async () => {
    const { course, certificateId, student } = await issued()
    const { courseId, templateId } = course
    const { id: _, version, ...template } = await getTemplate(owner, { templateId })
    const rule = await getRule(owner, { courseId })
    const actions: ((actor: Actor) => Promise<unknown>)[] = [
      (actor) => saveRule(actor, { ...rule }),
      (actor) => saveTemplate(actor, { ...template, templateId, version }),
      (actor) => deleteTemplate(actor, { templateId }),
      (actor) => issueCertificates(actor, { courseId, studentIds: [student.membershipId] }),
      (actor) => reissueCertificate(actor, { certificateId, name: 'Ні', note: '' }),
      (actor) => revokeCertificate(actor, { certificateId, reason: 'Ні' }),
      (actor) => listQualified(actor, ListQualified.parse({ courseId })),
      (actor) => openCertificateZip(actor, { courseId }),
    ]
    for (const role of ROLES.filter((name) => !['OWNER', 'DIRECTOR', 'EXPERT'].includes(name)))
      for (const action of actions)
        await expect(attempt(() => action(ours.as[role]))).rejects.toEqual(code('forbidden'))
    for (const action of actions)
      await expect(attempt(() => action(theirs.as.OWNER))).rejects.toEqual(code('not_found'))
    await expect(attempt(() => listOwnCertificates(owner))).rejects.toEqual(code('forbidden'))
  })

  test('a template in use is not deleted, and an older version overwrites nothing', async () => {
    const course = await createCertifiedCourse(owner)
    const { templateId } = course
    await expect(deleteTemplate(owner, { templateId })).rejects.toEqual(code('unprocessable'))
    const { id: _, ...template } = await getTemplate(owner, { templateId })
    const input = { ...template, templateId, name: 'Нова назва' }
    expect(await saveTemplate(owner, input)).toEqual({ version: 2 })
    expect(await saveTemplate(owner, input)).toEqual({ version: 2 })
    await expect(saveTemplate(owner, { ...input, name: 'Стара' })).rejects.toEqual(code('conflict'))
  })

  test('a rule needs a template of this school, and an older version overwrites nothing', async () => {
    const course = await createCertifiedCourse(owner)
    const foreign = await createCertifiedCourse(theirs.as.OWNER)
    const rule = { ...RuleText.parse({}), courseId: course.courseId }
    const withTemplate = (templateId: string | null, version: number) =>
      saveRule(owner, { ...rule, templateId, version })
    await expect(withTemplate(null, 1)).rejects.toEqual(code('invalid'))
    await expect(withTemplate(foreign.templateId, 1)).rejects.toEqual(code('not_found'))
    expect(await saveRule(owner, { ...rule, templateId: course.templateId, minCompletion: 80, version: 1 })).toEqual({
      version: 2,
    })
    const { items } = await listAuditEntries(owner, { objectId: course.courseId, action: 'certificate.rule_changed' })
    expect(items[0]).toMatchObject({
      before: { minCompletion: 100 },
      after: { minCompletion: 80, template: 'Класичний' },
    })
    await expect(withTemplate(course.templateId, 1)).rejects.toEqual(code('conflict'))
  })
})
