import { beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#lib/core/db/id.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { ROLES } from '#lib/core/shared/role.ts'
import { createGroup } from '#lib/course/group/group.ts'
import { addModule } from '#lib/course/outline/outline.ts'
import { listOffers } from '#lib/offer/list.ts'
import { changeOfferState, copyOffer, createOffer, getOffer, saveOffer } from '#lib/offer/offer.ts'
import { type OFFER_ACTIONS, salesObstacle } from '#lib/offer/rules.ts'
import { OfferSettings } from '#lib/offer/schema.ts'
import { requestApi } from '../../api/api-request.ts'
import { auditedActions } from '../../setup/audit.ts'
import { createCertifiedCourse } from '../../setup/course/earned-certificate.ts'
import { createCourse } from '../../setup/parsed/course.ts'
import { createOtherTenant, createTestTenant, type TestTenant } from '../../setup/tenants.ts'

const code = (refused: string) => expect.objectContaining({ code: refused })
const attempt = async (action: () => Promise<unknown>) => action()

let ours: TestTenant
let theirs: TestTenant
let owner: Actor
/** A draft that no test saves: the plan limits the number of courses. */
let unsavedId = ''
beforeAll(async () => {
  ours = await createTestTenant()
  theirs = await createOtherTenant()
  owner = ours.as.OWNER
  unsavedId = (await createDraft()).offerId
})

async function createDraft(price = 150_000) {
  const { courseId } = await createCourse(owner, { title: 'Курс' })
  const offerId = newId()
  await createOffer(owner, { offerId, courseId, name: 'Базовий', kind: 'once', price, currency: 'UAH' })
  return { courseId, offerId }
}

const newGroup = async (courseId: string) => {
  const dates = { startAt: '2026-12-01T00:00:00.000Z', endAt: null, timeZone: 'Europe/Kyiv' }
  return (await createGroup(owner, { courseId, name: 'Осіння', ...dates })).groupId
}

const settings = (change: Partial<Parameters<typeof OfferSettings.parse>[0] & object> = {}) =>
  OfferSettings.parse({ name: 'Базовий', kind: 'once', price: 150_000, ...change })

describe('creating an offer', () => {
  test('makes a draft once, however often it is sent, and writes it into the audit log', async () => {
    const { courseId, offerId } = await createDraft()
    await createOffer(owner, { offerId, courseId, name: 'Інша', kind: 'free', price: 0, currency: 'UAH' })
    expect(await listOffers(owner, { courseId })).toMatchObject([
      { id: offerId, state: 'draft', settings: { name: 'Базовий', price: 150_000 }, soldCount: 0 },
    ])
    expect(await auditedActions(owner, offerId)).toEqual(['offer.created'])
  })

  test.each(ROLES)('%s', async (role) => {
    const { courseId } = await createDraft()
    const input = { offerId: newId(), courseId, name: 'Ще', kind: 'free', price: 0, currency: 'UAH' } as const
    const done = await attempt(() => createOffer(ours.as[role], input)).then(
      () => true,
      (error: { code: string }) => error.code !== 'forbidden',
    )
    expect(done).toBe(['OWNER', 'DIRECTOR', 'EXPERT'].includes(role))
  })

  test('promises the certificate of a course that issues one, and no other', async () => {
    const { offerId } = await createDraft()
    expect((await getOffer(owner, { offerId })).settings.withCertificate).toBe(false)
    const { courseId } = await createCertifiedCourse(owner)
    const input = { offerId: newId(), courseId, name: 'Ще', kind: 'free', price: 0, currency: 'UAH' } as const
    await createOffer(owner, input)
    expect((await getOffer(owner, input)).settings.withCertificate).toBe(true)
  })

  test('needs the plan and a course of the school', async () => {
    const { courseId, offerId } = await createDraft()
    const input = { offerId: newId(), courseId, name: 'Ще', kind: 'free', price: 0, currency: 'UAH' } as const
    await expect(attempt(() => createOffer({ ...owner, plans: [] }, input))).rejects.toEqual(code('plan_inactive'))
    await expect(createOffer(theirs.as.OWNER, input)).rejects.toEqual(code('not_found'))
    await expect(getOffer(theirs.as.OWNER, { offerId })).rejects.toEqual(code('not_found'))
  })
})

describe('saving an offer', () => {
  test('keeps every setting, and never overwrites a newer version', async () => {
    const { courseId, offerId } = await createDraft()
    const { moduleId } = await addModule(owner, { courseId, title: 'Початок' })
    const { courseId: other } = await createCourse(owner, { title: 'Другий курс' })
    const groupId = await newGroup(courseId)
    const saved = settings({
      kind: 'installments',
      oldPrice: 200_000,
      salePrice: 120_000,
      saleTo: '2027-01-01T00:00:00.000Z',
      moduleIds: [moduleId],
      courseIds: [other],
      groupId,
      accessFrom: '2026-12-01T00:00:00.000Z',
      accessType: 'days',
      accessDays: 90,
      seoTitle: 'Риторика для лекторів',
      seoDescription: 'Три місяці з куратором',
      seats: 20,
      questions: [{ id: 'q1', label: 'Звідки ви?', required: true }],
      afterUrl: 'https://t.me/kurs',
      visibility: 'link',
    })
    expect(await saveOffer(owner, { offerId, version: 1, settings: saved })).toEqual({ version: 2 })
    expect((await getOffer(owner, { offerId })).settings).toEqual(saved)
    // The same once more, as after a lost answer.
    expect(await saveOffer(owner, { offerId, version: 1, settings: saved })).toEqual({ version: 2 })
    const late = { offerId, version: 1, settings: settings({ price: 1 }) }
    await expect(saveOffer(ours.as.EXPERT, late)).rejects.toMatchObject({
      code: 'conflict',
      details: { data: { version: 2 } },
    })
    expect(await auditedActions(owner, offerId)).toEqual(['offer.changed', 'offer.created'])
  })

  test('refuses modules, courses and offers that are not there', async () => {
    const { offerId } = await createDraft()
    const other = await createCourse(owner, { title: 'Другий курс' })
    const foreign = await createCourse(theirs.as.OWNER, { title: 'Чужий курс' })
    for (const change of [
      { moduleIds: [newId()] },
      { courseIds: [foreign.courseId] },
      { workshopIds: [newId()] },
      { groupId: newId() },
      { groupId: await newGroup(other.courseId) },
      { crossSellIds: [offerId] },
    ]) {
      await expect(saveOffer(owner, { offerId, version: 1, settings: settings(change) })).rejects.toEqual(
        code('not_found'),
      )
    }
  })

  test.each([
    { field: 'price', change: { price: 0 } },
    { field: 'trialDays', change: { kind: 'subscription', trialDays: 91 } },
    { field: 'oldPrice', change: { oldPrice: 150_000 } },
    { field: 'salePrice', change: { salePrice: 150_000 } },
    { field: 'accessDays', change: { accessType: 'days' } },
    { field: 'accessUntil', change: { accessType: 'untilDate' } },
    {
      field: 'accessUntil',
      change: {
        accessType: 'untilDate',
        accessUntil: '2027-01-01T00:00:00.000Z',
        accessFrom: '2027-01-02T00:00:00.000Z',
      },
    },
    { field: 'accessFrom', change: { kind: 'subscription', accessFrom: '2027-01-02T00:00:00.000Z' } },
    { field: 'seoTitle', change: { seoTitle: 'а'.repeat(71) } },
    { field: 'seoDescription', change: { seoDescription: 'а'.repeat(161) } },
    { field: 'firstAmount', change: { kind: 'installments', firstAmount: 150_000 } },
    { field: 'firstAmount', change: { kind: 'installments', firstAmount: 0 } },
    { field: 'afterUrl', change: { afterUrl: 'javascript:alert(1)' } },
    { field: 'afterUrl', change: { afterUrl: '#thanks' } },
    { field: 'afterUrl', change: { afterUrl: '/order/1?returned=1' } },
    { field: 'moduleIds', change: { moduleIds: [] } },
    { field: 'salesTo', change: { salesFrom: '2027-01-02T00:00:00.000Z', salesTo: '2027-01-01T00:00:00.000Z' } },
  ])('explains what is wrong with $field', async ({ field, change }) => {
    const body = {
      offerId: unsavedId,
      version: 1,
      settings: { name: 'Базовий', kind: 'once', price: 150_000, ...change },
    }
    const reply = await requestApi('POST', 'offer/save', { actor: owner, body })
    expect(reply).toMatchObject({ status: 400, body: { fields: { [`settings.${field}`]: [expect.any(String)] } } })
  })
})

describe('the state of an offer', () => {
  test('goes from draft to sale and back, to the archive and back; a second call does nothing', async () => {
    const { offerId } = await createDraft()
    const change = (action: (typeof OFFER_ACTIONS)[number]) => changeOfferState(owner, { offerId, action })
    for (const [action, state] of [
      ['activate', 'active'],
      ['activate', 'active'],
      ['deactivate', 'draft'],
      ['activate', 'active'],
      ['archive', 'archived'],
      ['archive', 'archived'],
    ] as const) {
      expect(await change(action)).toEqual({ state })
    }
    await expect(change('activate')).rejects.toEqual(code('conflict'))
    const { version, settings: stored } = await getOffer(owner, { offerId })
    const renamed = { ...stored, name: 'Інша' }
    await expect(saveOffer(owner, { offerId, version, settings: renamed })).rejects.toEqual(code('unprocessable'))
    expect(await change('restore')).toEqual({ state: 'draft' })
  })

  test('a paid offer without a price is not sold', async () => {
    const { offerId } = await createDraft(0)
    await expect(changeOfferState(owner, { offerId, action: 'activate' })).rejects.toMatchObject({
      code: 'unprocessable',
      details: { fields: { form: ['offer_needs_price'] } },
    })
  })

  test.each([
    { change: {}, takenCount: 0, obstacle: null },
    { change: { state: 'draft' }, takenCount: 0, obstacle: 'not_active' },
    { change: { visibility: 'hidden' }, takenCount: 0, obstacle: 'not_active' },
    { change: { salesFrom: new Date('2027-01-01') }, takenCount: 0, obstacle: 'not_started' },
    { change: { salesTo: new Date('2026-01-01') }, takenCount: 0, obstacle: 'ended' },
    { change: { seats: 2 }, takenCount: 1, obstacle: null },
    { change: { seats: 2 }, takenCount: 2, obstacle: 'sold_out' },
  ] as const)('$change with $takenCount taken seats: $obstacle', ({ change, takenCount, obstacle }) => {
    const offered = { state: 'active', visibility: 'public', salesFrom: null, salesTo: null, seats: null, ...change }
    expect(salesObstacle(offered as Parameters<typeof salesObstacle>[0], takenCount, new Date('2026-11-23'))).toBe(
      obstacle,
    )
  })
})

test('a copy is a draft with the same settings under another name', async () => {
  const { courseId, offerId } = await createDraft()
  await changeOfferState(owner, { offerId, action: 'activate' })
  const copy = { offerId, newOfferId: newId(), name: 'Базовий (копія)' }
  await copyOffer(owner, copy)
  await copyOffer(owner, copy)
  expect(await listOffers(owner, { courseId })).toMatchObject([
    { id: offerId, state: 'active' },
    { id: copy.newOfferId, state: 'draft', settings: { name: 'Базовий (копія)', price: 150_000 } },
  ])
})

test('a draft whose price is not known yet is listed and opened', async () => {
  const { courseId, offerId } = await createDraft(0)
  expect(await listOffers(owner, { courseId })).toMatchObject([{ id: offerId, settings: { price: 0 } }])
  expect(await getOffer(owner, { offerId })).toMatchObject({ settings: { kind: 'once', price: 0 } })
})
