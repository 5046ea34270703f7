import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { inTenant } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { ROLES } from '#lib/core/shared/role.ts'
import { getMasterclass, saveMasterclass } from '#lib/masterclass/content.ts'
import { readMasterclassPage } from '#lib/masterclass/masterclass.ts'
import { readMasterclassChecks } from '#lib/masterclass/publish-checks.ts'
import { MasterclassContent } from '#lib/masterclass/schema.ts'
import { getViewSeries } from '#lib/masterclass/view-series.ts'
import type { MasterclassVisitor } from '#lib/masterclass/visit.ts'
import {
  endVisit,
  readWatchView,
  recordMasterclassButtonClick,
  recordMasterclassButtonSeen,
  recordWatching,
} from '#lib/masterclass/watch.ts'
import { unsealJoinKey } from '#lib/registration/join-key.ts'
import { registration } from '#lib/registration/table.ts'
import { readEvents } from '#lib/workshop/session/event-log.ts'
import { archiveWorkshop } from '#lib/workshop/settings/end.ts'
import { addItem } from '#lib/workshop/settings/item.ts'
import { getEventReadiness, publishWorkshop, unpublishWorkshop } from '#lib/workshop/settings/publish.ts'
import { requestApi } from '../../api/api-request.ts'
import { addStoredVideo } from '../../setup/media/stored-video.ts'
import { enterMasterclass } from '../../setup/parsed/masterclass.ts'
import { registerForEvent } from '../../setup/parsed/registration.ts'
import { createWorkshop } from '../../setup/parsed/workshop.ts'
import { listEmailsTo } from '../../setup/servers/sent-emails.ts'
import { createOtherTenant, createTestTenant, type TestTenant } from '../../setup/tenants.ts'
import { uploadFile } from '../../setup/uploads.ts'

const code = (refused: string) => expect.objectContaining({ code: refused })
const NOW = new Date()
const at = (hours: number) => new Date(NOW.getTime() + hours * 3_600_000)

let ours: TestTenant
let theirs: TestTenant
beforeAll(async () => {
  ours = await createTestTenant()
  theirs = await createOtherTenant()
})

const visitorFrom = (address: string, at = ours): MasterclassVisitor => ({
  tenantId: at.tenant.id,
  actor: null,
  locale: 'uk' as const,
  address,
  device: 'phone' as const,
})

/** A published masterclass with this page. */
async function page(more: Partial<MasterclassContent> = {}, access: 'registration' | 'students' = 'registration') {
  const owner = ours.as.OWNER
  const generous = { ...owner, plans: owner.plans.map((plan) => ({ ...plan, plan: 'max' as const })) }
  const { workshopId, sessionId } = await createWorkshop(generous, {
    type: 'masterclass',
    title: 'Голос без напруги',
    timeZone: 'Europe/Kyiv',
    access,
  })
  const button = { label: 'На курс', url: 'https://example.com/' }
  const { itemId } = await addItem(owner, { workshopId, kind: 'button', content: button })
  const parts = [
    { id: 'one', title: 'День перший' },
    { id: 'two', title: 'День другий', unlock: 'afterDays', unlockDays: 1 },
  ]
  const content = MasterclassContent.parse({
    gate: 'open',
    parts,
    calls: [{ buttonId: itemId, partId: 'one', at: 30 }],
    ...more,
  })
  await saveMasterclass(owner, { workshopId, version: 0, content })
  await publishWorkshop(owner, { workshopId })
  return { workshopId, sessionId: sessionId ?? '', buttonId: itemId }
}

const logOf = (sessionId: string) =>
  inTenant({ tenantId: ours.tenant.id }, async (tx) =>
    (await readEvents(tx, sessionId, { reader: 'staff' })).map(({ type }) => type),
  )

describe('publishing a masterclass', () => {
  test('needs a video; other events do not', async () => {
    const { workshopId } = await page()
    const owner = ours.as.OWNER
    const checks = async (id: string) =>
      (await getEventReadiness(owner, { workshopId: id }, [readMasterclassChecks])).moduleChecks
    const check = { key: 'masterclassVideo', refusal: 'masterclass_no_video', path: '?tab=page#masterclass-parts' }
    expect(await checks(workshopId)).toEqual([{ ...check, passed: false }])
    await unpublishWorkshop(owner, { workshopId })
    await expect(publishWorkshop(owner, { workshopId }, [readMasterclassChecks])).rejects.toMatchObject({
      code: 'unprocessable',
      details: { fields: { form: ['masterclass_no_video'] } },
    })
    const { content, version } = await getMasterclass(owner, { workshopId })
    const fileId = await addStoredVideo(owner)
    const parts = content.parts.map((part, at) => ({ ...part, fileId: at === 0 ? fileId : null }))
    await saveMasterclass(owner, { workshopId, version, content: { ...content, parts } })
    expect(await checks(workshopId)).toEqual([{ ...check, passed: true }])
    await publishWorkshop(owner, { workshopId }, [readMasterclassChecks])
    const { workshopId: webinar } = await createWorkshop(owner, {
      type: 'webinar',
      title: 'Ефір',
      timeZone: 'Europe/Kyiv',
    })
    expect(await checks(webinar)).toEqual([])
  })
})

describe('the gate of a masterclass', () => {
  test('admits everybody where nothing is required', async () => {
    const { workshopId } = await page()
    const { key } = await enterMasterclass(visitorFrom('10.0.0.1'), { workshopId })
    const watching = await readWatchView(visitorFrom('10.0.0.1'), workshopId, key)
    expect(watching?.parts.map(({ title, opensAt }) => [title, opensAt === null])).toEqual([
      ['День перший', true],
      ['День другий', false],
    ])
  })

  test('asks for a name and an email address, names the invalid one, and emails the link', async () => {
    const { workshopId } = await page({ gate: 'email' })
    const enter = (more: object) => enterMasterclass(visitorFrom('10.0.0.2'), { workshopId, ...more })
    await expect(enter({})).rejects.toMatchObject({ details: { fields: { name: ['required'], email: ['required'] } } })
    await expect(enter({ name: 'Оля', email: 'оля' })).rejects.toEqual(code('invalid'))
    const email = `olia-${newId()}@example.com`
    const { key } = await enter({ name: 'Оля', email })
    expect((await readWatchView(visitorFrom('10.0.0.2'), workshopId, key))?.name).toBe('Оля')
    const emails = await listEmailsTo(email, ours.tenant.id)
    expect(emails).toHaveLength(1)
    expect(emails[0]?.text).toContain(`/masterclass/${workshopId}?key=`)
  })

  test('recognizes the emailed link on any device as the same visitor', async () => {
    const { workshopId, sessionId } = await page({ gate: 'email' })
    const email = `maria-${newId()}@example.com`
    await enterMasterclass(visitorFrom('10.0.0.3'), { workshopId, name: 'Марія', email })
    const [row] = await inTenant({ tenantId: ours.tenant.id }, (tx) => tx.select().from(registration)).then((rows) =>
      rows.filter((row) => row.email === email),
    )
    const key = row ? unsealJoinKey(row) : ''
    const phone = await readWatchView(visitorFrom('10.0.0.4'), workshopId, key)
    await recordWatching(visitorFrom('10.0.0.4'), { workshopId, key, partId: 'one', second: 40, watched: [[0, 40]] })
    const laptop = await readWatchView(visitorFrom('10.0.0.5'), workshopId, key)
    expect([phone?.name, laptop?.name, laptop?.parts[0]?.second]).toEqual(['Марія', 'Марія', 40])
    expect((await logOf(sessionId)).filter((type) => type === 'user.connect').length).toBeGreaterThanOrEqual(2)
  })

  test('requires the correct code', async () => {
    const { workshopId } = await page({ gate: 'code', code: 'Осінь 2026' })
    await expect(enterMasterclass(visitorFrom('10.0.0.6'), { workshopId, code: 'весна' })).rejects.toEqual(
      code('invalid'),
    )
    await expect(enterMasterclass(visitorFrom('10.0.0.6'), { workshopId, code: 'осінь2026' })).resolves.toHaveProperty(
      'key',
    )
  })

  test('limits guesses of the code to ten per network, concurrent ones included, without counting correct codes', async () => {
    const { workshopId } = await page({ gate: 'code', code: 'голос' })
    const right = { workshopId, code: 'голос' }
    for (let n = 0; n < 15; n++) expect((await enterMasterclass(visitorFrom('10.9.9.9'), right)).key).toBeTruthy()
    const tries = await Promise.allSettled(
      Array.from({ length: 40 }, (_, at) => enterMasterclass(visitorFrom('10.9.9.9'), { workshopId, code: `${at}` })),
    )
    const reason = tries.map((attempt) => attempt.status === 'rejected' && attempt.reason.code)
    expect(reason.filter((code) => code === 'invalid')).toHaveLength(10)
    expect(reason.filter((code) => code === 'too_many')).toHaveLength(30)
    await expect(enterMasterclass(visitorFrom('10.9.9.9'), right)).rejects.toEqual(code('too_many'))
    expect((await enterMasterclass(visitorFrom('10.9.9.8'), right)).key).toBeTruthy()
  })

  test('admits a hundred and twenty visits in ten minutes from one network', async () => {
    const { workshopId } = await page()
    const visits = Array.from({ length: 130 }, () => enterMasterclass(visitorFrom('10.9.8.8'), { workshopId }))
    const reason = (await Promise.allSettled(visits)).map((visit) => visit.status === 'rejected' && visit.reason.code)
    expect(reason.filter((code) => code === 'too_many')).toHaveLength(10)
  })

  test('is limited to students only where the page requires it', async () => {
    const { workshopId } = await page({ gate: 'students' })
    await expect(enterMasterclass(visitorFrom('10.0.0.7'), { workshopId })).rejects.toEqual(code('invalid'))
    const student = { ...visitorFrom('10.0.0.7'), actor: ours.as.STUDENT }
    const { key } = await enterMasterclass(student, { workshopId })
    const again = await enterMasterclass(student, { workshopId })
    const [first, two] = [
      await readWatchView(student, workshopId, key),
      await readWatchView(student, workshopId, again.key),
    ]
    expect(first?.name).toBe(two?.name)
  })

  test('is limited to students where the event is, whatever else the page requires', async () => {
    const { workshopId } = await page({ gate: 'open' }, 'students')
    expect((await readMasterclassPage(ours.tenant.id, null, { workshopId })).content.gate).toBe('students')
    await expect(enterMasterclass(visitorFrom('10.0.0.9'), { workshopId })).rejects.toEqual(code('invalid'))
    const student = { ...visitorFrom('10.0.0.9'), actor: ours.as.STUDENT }
    await expect(enterMasterclass(student, { workshopId })).resolves.toHaveProperty('key')
  })

  test('is closed before its opening and after its closing time', async () => {
    const early = await page({ openFrom: at(5).toISOString() })
    const over = await page({ openTo: at(-5).toISOString() })
    for (const { workshopId } of [early, over])
      await expect(enterMasterclass(visitorFrom('10.0.0.8'), { workshopId })).rejects.toEqual(code('unprocessable'))
  })
})

describe('the personal link of a registration', () => {
  async function linkTo(workshopId: string) {
    const email = `link-${newId()}@example.com`
    await registerForEvent(visitorFrom(`10.1.0.${++comers}`), { workshopId, email, name: 'Зоя' })
    const [row] = await inTenant({ tenantId: ours.tenant.id }, (tx) =>
      tx.select().from(registration).where(eq(registration.email, email)),
    )
    return row ? unsealJoinKey(row) : ''
  }
  let comers = 0
  const open = (workshopId: string, key: string, hours = 0) =>
    readWatchView(visitorFrom('10.1.1.1'), workshopId, key, at(hours))

  test('passes gates that are public or ask for an email address', async () => {
    for (const gate of ['open', 'email'] as const) {
      const { workshopId } = await page({ gate })
      expect((await open(workshopId, await linkTo(workshopId)))?.state, gate).toBe('open')
    }
  })

  test('passes no gate that requires a code or an account', async () => {
    for (const gate of ['code', 'students'] as const) {
      const { workshopId } = await page({ gate, code: 'осінь' })
      expect(await open(workshopId, await linkTo(workshopId)), gate).toBe(null)
    }
  })

  test('passes no gate before the opening and after the closing time of the page', async () => {
    const { workshopId } = await page({ openFrom: at(5).toISOString(), openTo: at(10).toISOString() })
    const key = await linkTo(workshopId)
    expect(await open(workshopId, key, 1)).toBe(null)
    expect((await open(workshopId, key, 6))?.state).toBe('open')
    expect((await open(workshopId, key, 11))?.state).toBe('over')
  })
})

describe('a visit', () => {
  test('returns the handouts of the event while watching is allowed', async () => {
    const { workshopId } = await page({ openTo: at(5).toISOString() })
    const content = { title: 'Конспект', url: 'https://example.com/notes' }
    await addItem(ours.as.OWNER, { workshopId, kind: 'handout', content })
    const { key } = await enterMasterclass(visitorFrom('10.0.2.1'), { workshopId })
    const given = async (hours: number) =>
      (await readWatchView(visitorFrom('10.0.2.1'), workshopId, key, at(hours)))?.handouts.map(({ address }) => address)
    expect([await given(0), await given(6)]).toEqual([['https://example.com/notes'], []])
  })

  test('ends for everybody once the page is canceled or archived', async () => {
    const { workshopId } = await page()
    const { key } = await enterMasterclass(visitorFrom('10.0.2.2'), { workshopId })
    await archiveWorkshop(ours.as.OWNER, { workshopId })
    await expect(enterMasterclass(visitorFrom('10.0.2.2'), { workshopId })).rejects.toEqual(code('not_found'))
    await expect(readWatchView(visitorFrom('10.0.2.2'), workshopId, key)).rejects.toEqual(code('not_found'))
  })

  test('opens the next part a day later and ends when its days have passed', async () => {
    const { workshopId } = await page({ watchDays: 3 })
    const { key } = await enterMasterclass(visitorFrom('10.0.1.1'), { workshopId })
    const open = async (hours: number) => {
      const watching = await readWatchView(visitorFrom('10.0.1.1'), workshopId, key, at(hours))
      return [watching?.isExpired, watching?.parts[1]?.opensAt === null, watching?.parts[0]?.calls.length]
    }
    // What cannot be watched has no link either.
    expect([await open(1), await open(25), await open(80)]).toEqual([
      [false, false, 1],
      [false, true, 1],
      [true, true, 0],
    ])
  })

  test('stores the watched intervals, which only grow, however often they are sent', async () => {
    const { workshopId } = await page()
    const { key } = await enterMasterclass(visitorFrom('10.0.1.2'), { workshopId })
    const tell = (second: number, watched: [number, number][]) =>
      recordWatching(visitorFrom('10.0.1.2'), { workshopId, key, partId: 'one', second, watched })
    await Promise.all([tell(20, [[0, 20]]), tell(60, [[40, 60]]), tell(20, [[0, 20]])])
    await tell(5, [[10, 45]])
    const part = (await readWatchView(visitorFrom('10.0.1.2'), workshopId, key))?.parts[0]
    expect([part?.watched, part?.second]).toEqual([[[0, 60]], 5])
  })

  test('counts one impression of a button and every click', async () => {
    const { workshopId, sessionId, buttonId } = await page()
    const { key } = await enterMasterclass(visitorFrom('10.0.1.3'), { workshopId })
    const note = { workshopId, key, buttonId }
    for (let n = 0; n < 2; n++) {
      await recordMasterclassButtonSeen(visitorFrom('10.0.1.3'), note)
      await recordMasterclassButtonClick(visitorFrom('10.0.1.3'), note)
    }
    await endVisit(visitorFrom('10.0.1.3'), { workshopId, key })
    expect(await logOf(sessionId)).toEqual(['user.connect', 'user.sawButton', 'user.click', 'user.click', 'user.leave'])
    await expect(recordMasterclassButtonClick(visitorFrom('10.0.1.3'), { ...note, buttonId: newId() })).rejects.toEqual(
      code('not_found'),
    )
  })

  test('is refused with a key of another page, of another tenant, or an unknown key', async () => {
    const [first, two] = [await page(), await page()]
    const { key } = await enterMasterclass(visitorFrom('10.0.1.4'), { workshopId: first.workshopId })
    expect(await readWatchView(visitorFrom('10.0.1.4'), two.workshopId, key)).toBe(null)
    expect(await readWatchView(visitorFrom('10.0.1.4'), first.workshopId, 'made-up-key')).toBe(null)
    await expect(readWatchView(visitorFrom('10.0.1.4', theirs), first.workshopId, key)).rejects.toEqual(
      code('not_found'),
    )
    const made = { workshopId: first.workshopId, key: 'made-up-key' }
    const viewing = { ...made, partId: 'one', second: 1, watched: [[0, 1]] as [number, number][] }
    await expect(recordWatching(visitorFrom('10.0.1.4'), viewing)).rejects.toEqual(code('not_found'))
    await expect(
      recordMasterclassButtonSeen(visitorFrom('10.0.1.4'), { ...made, buttonId: first.buttonId }),
    ).rejects.toEqual(code('not_found'))
  })
})

describe('the page of a masterclass', () => {
  test('reveals neither its code, nor its videos, nor its buttons', async () => {
    const { workshopId } = await page({ gate: 'code', code: 'таємниця' })
    const shown = await readMasterclassPage(ours.tenant.id, null, { workshopId })
    expect(JSON.stringify(shown)).not.toMatch(/таємниця|buttonId|fileId":"/)
    expect(shown.parts.map(({ title }) => title)).toEqual(['День перший', 'День другий'])
  })

  test('is saved over the version it was edited from, and not over a newer one', async () => {
    const { workshopId } = await page()
    const { content, version } = await getMasterclass(ours.as.OWNER, { workshopId })
    await saveMasterclass(ours.as.OWNER, { workshopId, version, content: { ...content, lead: 'Перша' } })
    const second = saveMasterclass(ours.as.EXPERT, { workshopId, version, content: { ...content, lead: 'Друга' } })
    await expect(second).rejects.toEqual(code('conflict'))
    expect((await getMasterclass(ours.as.OWNER, { workshopId })).content.lead).toBe('Перша')
  })

  test('plays video and audio of its own school only', async () => {
    const { workshopId } = await page()
    const { content, version } = await getMasterclass(ours.as.OWNER, { workshopId })
    const { id: text } = await uploadFile(ours.as.OWNER, 'a.txt', new Uint8Array([97]))
    for (const fileId of [text, await addStoredVideo(theirs.as.OWNER), newId()]) {
      const parts = content.parts.map((part) => ({ ...part, fileId }))
      const saved = saveMasterclass(ours.as.OWNER, { workshopId, version, content: { ...content, parts } })
      await expect(saved).rejects.toEqual(code('not_found'))
    }
  })

  test('is not found for another event or an unknown one', async () => {
    const owner = ours.as.OWNER
    const webinar = { type: 'webinar', title: 'Ефір', timeZone: 'Europe/Kyiv', startAt: at(24).toISOString() } as const
    const generous = { ...owner, plans: owner.plans.map((plan) => ({ ...plan, plan: 'max' as const })) }
    const { workshopId } = await createWorkshop(generous, webinar)
    await publishWorkshop(owner, { workshopId })
    await expect(readMasterclassPage(ours.tenant.id, null, { workshopId })).rejects.toEqual(code('not_found'))
    await expect(getViewSeries(owner, { workshopId })).rejects.toEqual(code('not_found'))
    await expect(getViewSeries(owner, { workshopId: newId() })).rejects.toEqual(code('not_found'))
    expect(await requestApi('GET', 'masterclass/getCurves?workshopId=one', { actor: owner })).toMatchObject({
      status: 400,
    })
  })

  test('is changed by those who manage content, and by no other tenant', async () => {
    const { workshopId } = await page()
    const { content, version } = await getMasterclass(ours.as.OWNER, { workshopId })
    for (const role of ROLES.filter((otherRole) => !['OWNER', 'DIRECTOR', 'EXPERT'].includes(otherRole)))
      await expect(
        (async () => saveMasterclass(ours.as[role], { workshopId, version, content }))(),
        role,
      ).rejects.toEqual(code('forbidden'))
    await expect(saveMasterclass(theirs.as.OWNER, { workshopId, version, content })).rejects.toEqual(code('not_found'))
    await expect(readMasterclassPage(theirs.tenant.id, null, { workshopId })).rejects.toEqual(code('not_found'))
    await expect(getViewSeries(theirs.as.OWNER, { workshopId })).rejects.toEqual(code('not_found'))
  })
})
