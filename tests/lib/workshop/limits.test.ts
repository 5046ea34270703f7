import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { inTenant } from '#lib/core/db/db.ts'
import { refusedFields } from '#lib/core/http/api/issues.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { getTranslator } from '#lib/core/i18n/i18n.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { listUses } from '#lib/storage/file-use.ts'
import { requireConferenceLimit } from '#lib/workshop/conference-limit.ts'
import {
  beginRehearsal,
  findLastRehearsalEnd,
  finishRehearsal,
  watchRehearsal,
} from '#lib/workshop/rehearsal/rehearsal.ts'
import { appendEvents } from '#lib/workshop/session/event-log.ts'
import { duplicateWorkshop } from '#lib/workshop/settings/duplicate.ts'
import {
  archiveWorkshop,
  archiveWorkshops,
  deleteWorkshops,
  restoreWorkshop,
  undoDelete,
} from '#lib/workshop/settings/end.ts'
import { saveSettings } from '#lib/workshop/settings/save.ts'
import { getWorkshop } from '#lib/workshop/workshop.ts'
import { insertFiles } from '../../setup/files.ts'
import { setPlan } from '../../setup/parsed/billing.ts'
import { cancelWorkshop, createWorkshop, listWorkshops } from '../../setup/parsed/workshop.ts'
import { createTestTenant, signInTestUser, type TestTenant } from '../../setup/tenants.ts'

const HOUR = 3_600_000
const full = expect.objectContaining({ code: 'unprocessable' })

let ours: TestTenant
let owner: Actor
beforeAll(async () => {
  ours = await createTestTenant()
  const nextPayment = new Date(Date.now() + 30 * 24 * HOUR)
  await setPlan({ tenantId: ours.tenant.id, group: 'workshop', plan: 'start', nextPayment })
  owner = (await signInTestUser(ours.as.OWNER.userId, ours.tenant.subdomain)).actor
})

const make = (title: string, more: object = {}) =>
  createWorkshop(owner, { type: 'webinar', title, timeZone: 'Europe/Kyiv', ...more })

async function start(sessionId: string | null): Promise<void> {
  await inTenant(owner, async (tx) => {
    await requireConferenceLimit(tx, owner)
    const ref = { tenantId: owner.tenantId, id: sessionId ?? '' }
    await appendEvents(tx, ref, [{ type: 'webinar.start', payload: {} }])
  })
}

describe('the plan', () => {
  test('limits the number of events; archived and deleted events do not count', async () => {
    const ids: string[] = []
    for (const title of ['Перша', 'Друга', 'Третя']) ids.push((await make(title)).workshopId)
    await expect(make('Четверта')).rejects.toMatchObject({ code: 'unprocessable', details: { variables: { max: 3 } } })
    await expect(duplicateWorkshop(owner, { workshopId: ids[0] ?? '' })).rejects.toEqual(full)
    await archiveWorkshop(owner, { workshopId: ids[0] ?? '' })
    const { workshopId } = await make('Четверта')
    await expect(restoreWorkshop(owner, { workshopId: ids[0] ?? '' })).rejects.toEqual(full)
    expect(await deleteWorkshops(owner, { workshopIds: [workshopId, ids[1] ?? ''] })).toEqual({
      deleted: [workshopId, ids[1]],
    })
    await expect(getWorkshop(owner, { workshopId })).rejects.toMatchObject({ code: 'not_found' })
    expect(await undoDelete(owner, { workshopIds: [workshopId] })).toEqual({ restored: [workshopId] })
    await restoreWorkshop(owner, { workshopId: ids[0] ?? '' })
    await expect(undoDelete(owner, { workshopIds: [ids[1] ?? ''] })).rejects.toEqual(full)
    await archiveWorkshops(owner, { workshopIds: [workshopId, ids[0] ?? '', ids[2] ?? ''] })
  })

  test('names the limit and the remedy', async () => {
    const { workshopId } = await make('На ефірі')
    const other = await make('Друга на ефірі')
    await start((await getWorkshop(owner, { workshopId })).sessionId)
    const refused = await start(other.sessionId).catch((error: unknown) => error)
    if (!(refused instanceof Refusal)) throw new Error('it was let pass')
    expect(refusedFields(getTranslator('uk'), refused).form).toEqual([
      'Тариф дозволяє ефірів одночасно: 1, зараз ідуть 1. Завершіть один із них або попросіть власника школи змінити тариф.',
    ])
    await archiveWorkshops(owner, { workshopIds: [other.workshopId] })
    await inTenant(owner, (tx) =>
      tx.execute(sql`update workshop_session set finished_at = now() where workshop_id = ${workshopId}`),
    )
    await archiveWorkshops(owner, { workshopIds: [workshopId] })
  })

  test('never grants the last place to two concurrent requests', async () => {
    await make('Перша з двох')
    await make('Друга з двох')
    const both = await Promise.allSettled([make('Остання'), make('Остання')])
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const { items } = await listWorkshops(owner, {})
    await archiveWorkshops(owner, { workshopIds: items.map(({ id }) => id) })
  })

  test('allows one live event at a time, also for two that start together', async () => {
    const [first, two] = [await make('В ефірі'), await make('Чекає')]
    const both = await Promise.allSettled([start(first.sessionId), start(two.sessionId)])
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const onAir = both[0]?.status === 'fulfilled' ? first : two
    await expect(archiveWorkshops(owner, { workshopIds: [onAir.workshopId] })).rejects.toEqual(full)
    await expect(cancelWorkshop(owner, { workshopId: onAir.workshopId })).rejects.toEqual(full)
    await inTenant(owner, (tx) =>
      appendEvents(tx, { tenantId: owner.tenantId, id: onAir.sessionId ?? '' }, [
        { type: 'webinar.finish', payload: {} },
      ]),
    )
    await start((onAir === first ? two : first).sessionId)
  })

  test('does not count rehearsals', async () => {
    const { items } = await listWorkshops(owner, {})
    const workshopId = items[0]?.id ?? ''
    const { rehearsalId } = await beginRehearsal(owner, { workshopId })
    expect((await beginRehearsal(owner, { workshopId })).rehearsalId).toBe(rehearsalId)
    expect(await watchRehearsal(owner, { rehearsalId })).toMatchObject({ receivingCount: 0 })
    await finishRehearsal(owner, { rehearsalId })
    await finishRehearsal(owner, { rehearsalId })
    expect(await findLastRehearsalEnd(owner, { workshopId })).toBeInstanceOf(Date)
    expect((await beginRehearsal(owner, { workshopId })).rehearsalId).not.toBe(rehearsalId)
    await expect(finishRehearsal(ours.as.PRESENTER, { rehearsalId })).rejects.toMatchObject({ code: 'forbidden' })
  })
})

test('the storage reports the files an event uses until the event is deleted', async () => {
  const { items } = await listWorkshops(owner, {})
  const over = items.filter(({ status }) => status !== 'active')
  const [pdf = '', picture = ''] = await insertFiles(owner, [
    { name: 'slides.pdf', kind: 'doc', mime: 'application/pdf' },
    { name: 'guest.png', kind: 'image', mime: 'image/png' },
  ])
  await archiveWorkshops(owner, { workshopIds: over.map(({ id }) => id) })
  const { workshopId } = await make('Із файлами', { slidesFileId: pdf })
  await saveSettings(owner, {
    workshopId,
    settings: { guests: [{ name: 'Гостя', about: '', fileId: picture }] },
  })
  const uses = async (fileId: string) => (await listUses(owner, { fileId })).map(({ kind, title }) => [kind, title])
  expect(await uses(pdf)).toEqual([['workshop', 'Із файлами']])
  expect(await uses(picture)).toEqual([['workshop', 'Із файлами']])
  await deleteWorkshops(owner, { workshopIds: [workshopId] })
  expect(await uses(pdf)).toEqual([])
  await undoDelete(owner, { workshopIds: [workshopId] })
  expect(await uses(picture)).toEqual([['workshop', 'Із файлами']])
})
