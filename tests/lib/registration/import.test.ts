import { beforeAll, describe, expect, test } from 'vitest'
import { readCsv } from '#lib/core/csv/csv.ts'
import { inTenant } from '#lib/core/db/db.ts'
import { exportRegistrations } from '#lib/registration/registrants/export.ts'
import { registration } from '#lib/registration/table.ts'
import { createWebinar, listRegistrants } from '../../setup/meeting/events.ts'
import { importRegistrations } from '../../setup/parsed/registration.ts'
import { listEmailsTo } from '../../setup/servers/sent-emails.ts'
import { createTestTenant, type TestTenant } from '../../setup/tenants.ts'

const NOW = new Date('2026-11-20T10:00:00Z')
const form = {
  questions: [
    { id: 'q1', label: 'email', kind: 'line' as const },
    { id: 'q2', label: 'Теми', kind: 'multi' as const, options: ['Звук', 'Світло', 'Текст'] },
    { id: 'q3', label: 'Теми', kind: 'line' as const },
  ],
}

let home: TestTenant
beforeAll(async () => {
  home = await createTestTenant()
})

const eventWithForm = () => createWebinar(home.as.OWNER, { startAt: '2026-12-01T17:00:00Z', settings: { form } })

const columnsOf = (csv: string): string[] => readCsv(csv)[0] ?? []
/** Rows of an export by column. */
function rowsOf(csv: string): Record<string, string>[] {
  const [heading = [], ...rows] = readCsv(csv)
  return rows.map((cells) => Object.fromEntries(heading.map((column, index) => [column, cells[index] ?? ''])))
}

const mailsTo = async (email: string): Promise<number> => (await listEmailsTo(email, home.tenant.id)).length

describe('a registrations file', () => {
  test('has its heading for an event without registrations', async () => {
    const { workshopId } = await eventWithForm()
    const csv = await exportRegistrations(home.as.OWNER, { workshopId })
    expect(columnsOf(csv)).toEqual([
      'email',
      'name',
      'phone',
      'state',
      'registered',
      'locale',
      'timeZone',
      'marketing',
      'source',
      'sessionStart',
      'joined',
      'minutes',
      'email (2)',
      'Теми',
      'Теми (2)',
    ])
    expect(readCsv(csv)).toHaveLength(1)
  })

  test('is imported into another event unchanged', async () => {
    const from = await eventWithForm()
    const states = ['confirmed', 'pending', 'waitlisted', 'declined', 'canceled'] as const
    const text = [
      'email,name,phone,state,registered,locale,timeZone,marketing,source,email (2),Теми,Теми (2)',
      ...states.map((state, n) =>
        [
          `${state}@round.test`,
          `"О’Коннор-${n}, Ґанна"`,
          `'+38044111223${n}`,
          state,
          `2026-11-0${n + 1}T12:00:00+02:00`,
          n % 2 ? 'en' : 'uk',
          'Europe/Warsaw',
          n % 2 ? 'yes' : '',
          n % 2 ? 'utm_source=flyer; referrer=https://example.com/?a=b' : '',
          'second@example.com',
          n % 2 ? 'Звук; Текст' : '',
          '=1+1',
        ].join(','),
      ),
    ].join('\n')
    const { lines } = await importRegistrations(home.as.OWNER, { workshopId: from.workshopId, text }, NOW)
    expect(lines.map(({ outcome }) => outcome)).toEqual(states.map(() => 'added'))
    const first = await exportRegistrations(home.as.OWNER, { workshopId: from.workshopId })
    const rows = rowsOf(first)
    expect(rows.map(({ state }) => state)).toEqual(states.toReversed())
    expect(rows.at(-1)).toMatchObject({
      email: 'confirmed@round.test',
      name: 'О’Коннор-0, Ґанна',
      phone: '+380441112230',
      registered: '2026-11-01T12:00:00+02:00',
      timeZone: 'Europe/Warsaw',
      'email (2)': 'second@example.com',
      'Теми (2)': '=1+1',
    })

    const to = await eventWithForm()
    await importRegistrations(home.as.OWNER, { workshopId: to.workshopId, text: first }, NOW)
    expect(await exportRegistrations(home.as.OWNER, { workshopId: to.workshopId })).toBe(first)
    const people = await listRegistrants(home.as.OWNER, to.workshopId)
    expect(people.get('pending@round.test')).toMatchObject({
      answers: { q1: 'second@example.com', q2: ['Звук', 'Текст'], q3: '=1+1' },
      source: { utm_source: 'flyer', referrer: 'https://example.com/?a=b' },
      consentMarketingAt: expect.any(Date),
    })
  })

  test('emails only confirmed registrants, and leaves known ones in other states unchanged', async () => {
    const { workshopId } = await eventWithForm()
    const list = (state: string) =>
      `email,name,state\nseated@state.test,Так,confirmed\nother@state.test,Ні,${state}\nthird@state.test,Ще,${state}`
    await importRegistrations(home.as.OWNER, { workshopId, text: list('declined') }, NOW)
    expect([await mailsTo('seated@state.test'), await mailsTo('other@state.test')]).toEqual([1, 0])
    const again = await importRegistrations(home.as.OWNER, { workshopId, text: list('canceled') }, NOW)
    expect(again.lines.map(({ outcome }) => outcome)).toEqual(['known', 'known', 'known'])
    const confirmed = await importRegistrations(home.as.OWNER, { workshopId, text: list('confirmed') }, NOW)
    expect(confirmed.lines.map(({ outcome }) => outcome)).toEqual(['known', 'confirmed', 'confirmed'])
    expect((await listRegistrants(home.as.OWNER, workshopId)).get('other@state.test')).toMatchObject({
      state: 'confirmed',
    })
  })

  test('of another product may have a column "state" that means something else', async () => {
    const { workshopId } = await eventWithForm()
    const text = 'State,E-mail,Full name\nTexas,tex@state.test,Tex\nconfirmed,con@state.test,Con'
    await importRegistrations(home.as.OWNER, { workshopId, text }, NOW)
    const people = await listRegistrants(home.as.OWNER, workshopId)
    expect([...people.values()].map(({ name, state }) => [name, state]).sort()).toEqual([
      ['Con', 'confirmed'],
      ['Tex', 'confirmed'],
    ])
  })

  test('keeps an answer to a question that was removed, under its id', async () => {
    const { workshopId } = await eventWithForm()
    await importRegistrations(home.as.OWNER, { workshopId, text: 'a@gone.test' }, NOW)
    await inTenant(home.as.OWNER, (tx) => tx.update(registration).set({ answers: { email: 'x', q1: 'y' } }))
    const [row] = rowsOf(await exportRegistrations(home.as.OWNER, { workshopId }))
    expect(row).toMatchObject({ email: 'a@gone.test', 'email (2)': 'y', 'email (3)': 'x' })
  })
})
