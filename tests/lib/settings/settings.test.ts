import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { pool } from '#lib/core/db/db.ts'
import { getTranslator } from '#lib/core/i18n/i18n.ts'
import { brandEmail, composeEmail } from '#lib/core/mail/email-body.ts'
import { onPeerMessage } from '#lib/core/processes/peers.ts'
import { readLogo, removeLogo, setLogo } from '#lib/settings/logo.ts'
import { confirmReplyTo, readReplyToLink, removeReplyTo, requestReplyTo } from '#lib/settings/reply-to.ts'
import { readEmailSender } from '#lib/settings/sender.ts'
import { getSettings, updateSchool } from '#lib/settings/settings.ts'
import { changeSubdomain } from '#lib/settings/subdomain.ts'
import { createTenant, findSubdomain, findTenant } from '#lib/tenant/tenant.ts'
import { listAuditEntries } from '../../setup/parsed/audit.ts'
import { newestEmailTo } from '../../setup/servers/sent-emails.ts'
import { createOtherTenant, createTestTenant, type TestTenant } from '../../setup/tenants.ts'

let home: TestTenant
let other: TestTenant
let count = 0

beforeAll(async () => {
  other = await createOtherTenant()
})
beforeEach(async () => {
  await pool.query('delete from throttle')
  home = await createTestTenant(`Школа ${++count}`)
})
afterAll(() => pool.end())

const OUTSIDERS = ['EXPERT', 'CURATOR', 'PRESENTER', 'MODERATOR', 'MENTOR', 'MEMBER', 'STUDENT'] as const
const fields = { name: 'Школа Зоря', locale: 'en', timeZone: 'Europe/Warsaw', primaryColor: '#7a1fa2' } as const
const settingsOf = (school: TestTenant) => getSettings(school.as.OWNER)

async function picture(format: 'png' | 'jpeg' | 'gif', side = 600): Promise<Buffer> {
  const { default: sharp } = await import('sharp')
  return sharp({ create: { width: side, height: side, channels: 3, background: '#3366cc' } })
    .toFormat(format)
    .toBuffer()
}

describe('settings of the school', () => {
  test('are changed, and the change is in the audit log with the values before and after', async () => {
    const { revision } = await settingsOf(home)
    await updateSchool(home.as.DIRECTOR, { revision, ...fields })
    expect(await settingsOf(home)).toMatchObject({ ...fields, revision: revision + 1 })
    expect(await findTenant(home.tenant.subdomain)).toMatchObject(fields)
    const { items } = await listAuditEntries(home.as.OWNER, { action: 'settings.changed' })
    expect(items).toHaveLength(1)
    expect(items[0]).toMatchObject({ before: { locale: 'uk', primaryColor: null }, after: fields })
  })

  test('of an older revision are refused, so that two managers do not overwrite each other', async () => {
    const { revision } = await settingsOf(home)
    await updateSchool(home.as.OWNER, { revision, ...fields })
    await expect(updateSchool(home.as.DIRECTOR, { revision, ...fields, name: 'Інша' })).rejects.toMatchObject({
      code: 'conflict',
      details: { fields: { form: ['settings_conflict'] } },
    })
    expect((await settingsOf(home)).name).toBe('Школа Зоря')
  })

  test('that are saved, and the logo, remove cached public pages; refused ones do not', async () => {
    const cleared: null[] = []
    onPeerMessage('pages.outdated', (value) => cleared.push(value))
    const { revision } = await settingsOf(home)
    await updateSchool(home.as.OWNER, { revision, ...fields })
    await setLogo(home.as.OWNER, await picture('png'))
    expect(cleared).toHaveLength(2)
    await expect(updateSchool(home.as.OWNER, { revision, ...fields, name: 'Інша' })).rejects.toMatchObject({
      code: 'conflict',
    })
    expect(cleared).toHaveLength(2)
  })

  test('sent twice are saved once', async () => {
    const { revision } = await settingsOf(home)
    const saved = await updateSchool(home.as.OWNER, { revision, ...fields })
    expect(await updateSchool(home.as.OWNER, { ...fields, ...saved })).toEqual(saved)
    expect((await listAuditEntries(home.as.OWNER, { action: 'settings.changed' })).items).toHaveLength(1)
  })

  test.each(OUTSIDERS)('are closed to %s', async (role) => {
    const actor = home.as[role]
    await expect(getSettings(actor)).rejects.toMatchObject({ code: 'forbidden' })
    await expect(updateSchool(actor, { revision: 1, ...fields })).rejects.toMatchObject({ code: 'forbidden' })
    await expect(changeSubdomain(actor, { subdomain: 'taken-over' })).rejects.toMatchObject({ code: 'forbidden' })
    await expect(setLogo(actor, await picture('png'))).rejects.toMatchObject({ code: 'forbidden' })
    await expect(removeLogo(actor)).rejects.toMatchObject({ code: 'forbidden' })
    await expect(requestReplyTo(actor, { email: 'a@b.test' })).rejects.toMatchObject({ code: 'forbidden' })
    await expect(removeReplyTo(actor)).rejects.toMatchObject({ code: 'forbidden' })
  })
})

describe('the subdomain', () => {
  test('changes; the old one redirects to the school, is reserved for it and may be restored', async () => {
    const before = home.tenant.subdomain
    const after = `new-${before}`.slice(0, 40)
    await changeSubdomain(home.as.OWNER, { subdomain: after })
    expect(await findTenant(before)).toMatchObject({ id: home.tenant.id, subdomain: after })
    expect(await settingsOf(home)).toMatchObject({ subdomain: after, formerSubdomains: [before] })
    expect(await findSubdomain({ subdomain: before })).toMatchObject({ available: false, reason: 'subdomain_taken' })
    await expect(changeSubdomain(other.as.OWNER, { subdomain: before })).rejects.toMatchObject({
      details: { fields: { subdomain: ['subdomain_taken'] } },
    })
    await changeSubdomain(home.as.OWNER, { subdomain: before })
    expect(await settingsOf(home)).toMatchObject({ subdomain: before, formerSubdomains: [after] })
  })

  test('of another school is refused', async () => {
    await expect(changeSubdomain(home.as.OWNER, { subdomain: other.tenant.subdomain })).rejects.toMatchObject({
      code: 'unprocessable',
    })
    expect((await settingsOf(home)).subdomain).toBe(home.tenant.subdomain)
  })

  test('that two schools request at once is given to one of them', async () => {
    const subdomain = `wanted-${count}`
    const results = await Promise.allSettled([home, other].map(({ as }) => changeSubdomain(as.OWNER, { subdomain })))
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(results.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'unprocessable' } })
  })

  test('is changed at most five times', async () => {
    for (let change = 1; change <= 5; change++) {
      await changeSubdomain(home.as.OWNER, { subdomain: `move-${count}-${change}` })
    }
    await expect(changeSubdomain(home.as.OWNER, { subdomain: `move-${count}-6` })).rejects.toMatchObject({
      details: { fields: { subdomain: ['subdomain_changes'] } },
    })
  })

  test('that was replaced is not given to a new school', async () => {
    const before = home.tenant.subdomain
    await changeSubdomain(home.as.OWNER, { subdomain: `later-${count}` })
    expect((await findSubdomain({ subdomain: before })).available).toBe(false)
    expect(await createTenant({ subdomain: `free-${count}`, name: 'Вільна' })).toHaveProperty('id')
  })
})

describe('the logo', () => {
  test.each(['png', 'jpeg'] as const)('is stored from %s as a small PNG that everybody may read', async (format) => {
    const { hash } = await setLogo(home.as.OWNER, await picture(format))
    const image = await readLogo(home.tenant.id, hash)
    const { default: sharp } = await import('sharp')
    expect(await sharp(image ?? undefined).metadata()).toMatchObject({ format: 'png', width: 256, height: 256 })
    expect(await readLogo(other.tenant.id, hash)).toBeNull()
    await removeLogo(home.as.OWNER)
    expect(await readLogo(home.tenant.id, hash)).toBeNull()
    expect((await settingsOf(home)).logoHash).toBeNull()
  })

  test('is refused when it is no picture of a known type, too large or a decompression bomb', async () => {
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script/></svg>')
    const bomb = await picture('png', 5200)
    for (const bytes of [svg, Buffer.from('no picture'), await picture('gif'), bomb]) {
      await expect(setLogo(home.as.OWNER, bytes)).rejects.toMatchObject({ code: 'wrong_type' })
    }
    await expect(setLogo(home.as.OWNER, Buffer.alloc(900_001))).rejects.toMatchObject({ code: 'too_large' })
    await expect(setLogo(home.as.OWNER, Buffer.alloc(0))).rejects.toMatchObject({ code: 'invalid' })
  })
})

describe('the address for replies', () => {
  async function linkSentTo(email: string): Promise<string> {
    await requestReplyTo(home.as.OWNER, { email })
    const { link } = await newestEmailTo(email, home.tenant.id)
    return new URL(link).searchParams.get('replyTo') ?? ''
  }

  test('is used after its link was confirmed, once or twice', async () => {
    const email = `office${count}@school.test`
    const token = await linkSentTo(email)
    expect((await settingsOf(home)).replyTo).toBeNull()
    expect(readReplyToLink(home.as.OWNER, token)).toBe(email)
    await confirmReplyTo(home.as.OWNER, { token })
    await confirmReplyTo(home.as.DIRECTOR, { token })
    expect((await settingsOf(home)).replyTo).toBe(email)
    expect(await readEmailSender(home.tenant.id)).toMatchObject({ replyTo: email })
    await removeReplyTo(home.as.OWNER)
    expect((await settingsOf(home)).replyTo).toBeNull()
  })

  test('is not confirmed by the link of another school or by an invented one', async () => {
    const token = await linkSentTo(`office${count}@school.test`)
    for (const [actor, given] of [
      [other.as.OWNER, token],
      [home.as.OWNER, `${token.slice(0, -4)}AAAA`],
    ] as const) {
      await expect(confirmReplyTo(actor, { token: given })).rejects.toMatchObject({ code: 'gone' })
    }
  })

  test('can be requested five times in an hour', async () => {
    for (let request = 0; request < 5; request++) await requestReplyTo(home.as.OWNER, { email: 'a@b.test' })
    await expect(requestReplyTo(home.as.OWNER, { email: 'a@b.test' })).rejects.toMatchObject({ code: 'too_many' })
  })
})

describe('emails of the school', () => {
  const body = composeEmail(getTranslator('uk'), {
    school: 'Школа',
    heading: 'Вітаємо',
    paragraphs: ['Колір #2456c9 у тексті лишається.'],
    button: { label: 'Відкрити', href: 'https://school.test/' },
  })

  test('have the color with corrected contrast and the logo', async () => {
    const { revision } = await settingsOf(home)
    await updateSchool(home.as.OWNER, { revision, ...fields, primaryColor: '#7a1fa2' })
    const { hash } = await setLogo(home.as.OWNER, await picture('png'))
    const sender = await readEmailSender(home.tenant.id)
    if (!sender) throw new Error('no sender')
    expect(sender.name).toBe('Школа Зоря')
    const html = brandEmail(body.html, sender)
    expect(html).toContain('background:#7a1fa2;color:#')
    expect(html).toContain(`/v1/logo/${home.tenant.id}/${hash}.png`)
    expect(html).toContain('Колір #2456c9 у тексті лишається.')
    expect(html).not.toContain('style="color:#2456c9')
  })

  test('have the appearance of the product when the school has no brand', async () => {
    const sender = await readEmailSender(other.tenant.id)
    if (!sender) throw new Error('no sender')
    expect(brandEmail(body.html, sender)).toBe(body.html.replace('<!--logo-->', ''))
  })
})
