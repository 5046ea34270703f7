import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { inTenant } from '#lib/core/db/db.ts'
import { store } from '#lib/core/files/files.ts'
import { ROLES } from '#lib/core/shared/role.ts'
import { MAX_CAPTION_BYTES } from '#lib/core/shared/stored-file.ts'
import { getCaption, listCaptions, removeCaption, writeCaptionObject } from '#lib/storage/caption/caption.ts'
import { hasLengthMismatch } from '#lib/storage/rules.ts'
import { caption, file } from '#lib/storage/table.ts'
import { getQuota } from '#lib/storage/upload/quota.ts'
import { getPlayback } from '#lib/storage/video/playback.ts'
import { getVideoEditor, saveChapters } from '#lib/storage/video/video-editor.ts'
import { addStoredVideo } from '../../../setup/media/stored-video.ts'
import { saveCaption, saveTexts } from '../../../setup/parsed/storage.ts'
import { createOtherTenant, createTestTenant, type TestTenant } from '../../../setup/tenants.ts'

const WORDS = 'WEBVTT\n\n00:00:01.000 --> 00:00:02.000\nДобрий день\n'
const OTHER = 'WEBVTT\n\n00:00:01.000 --> 00:00:02.500\nДобрий вечір\n'

let ours: TestTenant
let theirs: TestTenant
let fileId: string
beforeAll(async () => {
  ours = await createTestTenant()
  theirs = await createOtherTenant()
  fileId = await addStoredVideo(ours.as.OWNER)
})

async function objectOf(id: string, lang: string): Promise<string | null> {
  const stream = await store.read(`${ours.tenant.id}/${id}.made/captions/${lang}.vtt`)
  return stream ? Buffer.concat(await stream.toArray()).toString() : null
}

describe('captions', () => {
  test('are imported from SubRip, read back cue by cue, and served where players read them', async () => {
    const text = '1\n00:00:01,000 --> 00:00:02,000\n<font color="red">Добрий</font> <b>день\n'
    expect(await saveCaption(ours.as.EXPERT, { fileId, lang: 'uk', text })).toMatchObject({ cues: 1 })
    const kept = await getCaption(ours.as.DIRECTOR, { fileId, lang: 'uk' })
    expect(kept).toMatchObject({ auto: false, cues: [{ start: 1, end: 2, text: 'Добрий <b>день</b>' }] })
    expect(await objectOf(fileId, 'uk')).toBe('WEBVTT\n\n00:00:01.000 --> 00:00:02.000\nДобрий <b>день</b>\n')
    expect((await getPlayback(ours.as.OWNER, { fileId })).captions).toMatchObject([{ lang: 'uk' }])
  })

  test('count towards storage, to the byte, when saved, replaced and removed', async () => {
    const id = await addStoredVideo(ours.as.OWNER)
    const before = (await getQuota(ours.as.OWNER)).derived
    const counted = async () => (await getQuota(ours.as.OWNER)).derived - before
    for (const text of [WORDS, OTHER, OTHER]) await saveCaption(ours.as.OWNER, { fileId: id, lang: 'en', text })
    expect(await counted()).toBe(Buffer.byteLength(OTHER))
    expect(Buffer.byteLength((await objectOf(id, 'en')) ?? '')).toBe(await counted())
    await removeCaption(ours.as.OWNER, { fileId: id, lang: 'en' })
    await removeCaption(ours.as.OWNER, { fileId: id, lang: 'en' })
    expect([await counted(), await objectOf(id, 'en')]).toEqual([0, null])
    await expect(getCaption(ours.as.OWNER, { fileId: id, lang: 'en' })).rejects.toMatchObject({ code: 'not_found' })
  })

  test('saved over an outdated version are a conflict that returns the newer cues; an identical save is none', async () => {
    const id = await addStoredVideo(ours.as.OWNER)
    const saveText = (text: string, version: number) =>
      saveCaption(ours.as.OWNER, { fileId: id, lang: 'uk', text, version })
    const first = await saveText(WORDS, 0)
    const second = await saveText(OTHER, first.version)
    expect(await saveText(OTHER, first.version)).toEqual(second)
    await expect(saveText(WORDS, first.version)).rejects.toMatchObject({
      code: 'conflict',
      details: { data: { version: second.version, cues: [{ text: 'Добрий вечір' }] } },
    })
    await expect(saveText(WORDS, 0)).rejects.toMatchObject({ code: 'conflict' })
  })

  test('saved by two people at once end as the captions of one of them, object and row alike', async () => {
    const id = await addStoredVideo(ours.as.OWNER)
    const both = [WORDS, OTHER].map((text) => saveCaption(ours.as.OWNER, { fileId: id, lang: 'uk', text, version: 0 }))
    const ended = await Promise.allSettled(both)
    expect(ended.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const [row] = await inTenant(ours.as.OWNER, (tx) =>
      tx.select({ text: caption.text }).from(caption).where(eq(caption.fileId, id)),
    )
    expect(await objectOf(id, 'uk')).toBe(row?.text)
  })

  test('whose object was lost are restored by the job, and removed captions are not', async () => {
    const place = { tenantId: ours.tenant.id, fileId, lang: 'uk' } as const
    await saveCaption(ours.as.OWNER, { fileId, lang: 'uk', text: WORDS })
    await store.remove(`${place.tenantId}/${fileId}.made/captions/uk.vtt`)
    for (const _ of [1, 2]) await writeCaptionObject(place)
    expect(await objectOf(fileId, 'uk')).toBe(WORDS)
    await writeCaptionObject({ ...place, lang: 'en' })
    expect(await objectOf(fileId, 'en')).toBeNull()
  })

  test("are refused with the invalid line's number, or for their size", async () => {
    const saveText = (text: string) => saveCaption(ours.as.OWNER, { fileId, lang: 'uk', text })
    await expect(saveText('WEBVTT\n\n00:03.000 --> 00:02.000\nа')).rejects.toMatchObject({
      code: 'invalid',
      details: { fields: { text: ['caption_order'] }, variables: { line: 3, words: '00:03.000 --> 00:02.000' } },
    })
    await expect(saveText('просто слова')).rejects.toMatchObject({ details: { fields: { text: ['caption_format'] } } })
    const long = `${WORDS}${'ї'.repeat(MAX_CAPTION_BYTES / 2)}`
    await expect(saveText(long)).rejects.toMatchObject({ code: 'too_large' })
  })
})

describe('captions of a file', () => {
  const MIXED = 'WEBVTT\n\n00:03.000 --> 00:02.000\nхибна\n\n00:00.000 --> 00:01.500\nдобра\n'

  test('are imported without invalid cues, which are listed', async () => {
    const id = await addStoredVideo(ours.as.OWNER)
    const input = { fileId: id, lang: 'uk' as const, text: MIXED }
    expect(await saveCaption(ours.as.OWNER, { ...input, skipInvalid: true })).toMatchObject({
      cues: 1,
      skipped: [{ fault: 'caption_order', line: 3, words: '00:03.000 --> 00:02.000' }],
      skippedCount: 1,
    })
    expect((await getCaption(ours.as.OWNER, { fileId: id, lang: 'uk' })).cues).toMatchObject([{ text: 'добра' }])
  })

  test('list the first twenty of many invalid cues, and count the others', async () => {
    const id = await addStoredVideo(ours.as.OWNER)
    const text = MIXED + '\n00:03.000 --> 00:02.000\nхибна\n'.repeat(30)
    const saved = await saveCaption(ours.as.OWNER, { fileId: id, lang: 'uk', text, skipInvalid: true })
    expect([saved.skipped.length, saved.skippedCount]).toEqual([20, 31])
  })

  test('typed by a person are refused as a whole, so that nothing is dropped unseen', async () => {
    const id = await addStoredVideo(ours.as.OWNER)
    await expect(saveCaption(ours.as.OWNER, { fileId: id, lang: 'uk', text: MIXED })).rejects.toMatchObject({
      details: { fields: { text: ['caption_order'] } },
    })
  })

  test('report where they end, whatever their contents', async () => {
    const id = await addStoredVideo(ours.as.OWNER)
    const text =
      'WEBVTT\n\n00:00.000 --> 100:00:07.250 line:0\nа --&gt; 999:00:00.000\n\n00:01.000 --> 00:02.000\nб --&gt; 200:00:00.000\n'
    await saveCaption(ours.as.OWNER, { fileId: id, lang: 'uk', text })
    expect((await getVideoEditor(ours.as.OWNER, { fileId: id })).captions).toMatchObject([
      { lang: 'uk', end: 360_007.25 },
    ])
  })
})

test.each([
  [5, 10, false],
  [10.9, 10, false],
  [16, 10, true],
  [3600, 3550, false],
  [3700, 3550, true],
  [2700, 3550, false],
  [2600, 3550, true],
  [0, 29, false],
])('captions that end at %d s of %d s: too different %s', (end, duration, differs) => {
  expect(hasLengthMismatch(end, duration)).toBe(differs)
})

describe('name, description and chapters', () => {
  test('are saved over the version they were edited from, chapters in chronological order', async () => {
    const { textsVersion, chaptersVersion } = await getVideoEditor(ours.as.EXPERT, { fileId })
    const texts = { fileId, name: ' Перше заняття ', description: 'Про головне', version: textsVersion }
    const saved = await saveTexts(ours.as.EXPERT, texts)
    expect(await saveTexts(ours.as.EXPERT, texts)).toEqual(saved)
    await expect(saveTexts(ours.as.OWNER, { ...texts, name: 'Інша' })).rejects.toMatchObject({
      details: { data: { name: 'Перше заняття', description: 'Про головне', version: saved.version } },
    })
    const chapters = [
      { at: 30.0004, title: 'Далі' },
      { at: 0, title: 'Початок' },
    ]
    const marked = await saveChapters(ours.as.EXPERT, { fileId, chapters, version: chaptersVersion })
    expect(await getVideoEditor(ours.as.EXPERT, { fileId })).toMatchObject({
      name: 'Перше заняття',
      chaptersVersion: marked.version,
      chapters: [
        { at: 0, title: 'Початок' },
        { at: 30, title: 'Далі' },
      ],
    })
    await expect(saveChapters(ours.as.OWNER, { fileId, chapters: [], version: 0 })).rejects.toMatchObject({
      code: 'conflict',
    })
  })

  test('chapters at the same time or after the end are refused', async () => {
    const mark = (...times: number[]) =>
      saveChapters(ours.as.OWNER, { fileId, chapters: times.map((at) => ({ at, title: 'Розділ' })) })
    await expect(mark(1, 1)).rejects.toMatchObject({ details: { fields: { chapters: ['chapter_twice'] } } })
    await expect(mark(0, 60)).rejects.toMatchObject({ details: { fields: { chapters: ['chapter_outside'] } } })
  })
})

describe('permissions', () => {
  const see = {
    listCaptions: (actor, id) => listCaptions(actor, { fileId: id }),
    getCaption: (actor, id) => getCaption(actor, { fileId: id, lang: 'uk' }),
    getVideoEditor: (actor, id) => getVideoEditor(actor, { fileId: id }),
  } satisfies CaptionActions
  const change = {
    saveCaption: (actor, id) => saveCaption(actor, { fileId: id, lang: 'uk', text: WORDS }),
    removeCaption: (actor, id) => removeCaption(actor, { fileId: id, lang: 'en' }),
    saveChapters: (actor, id) => saveChapters(actor, { fileId: id, chapters: [] }),
    saveTexts: (actor, id) => saveTexts(actor, { fileId: id, name: 'Назва', description: '' }),
  } satisfies CaptionActions
  const all = Object.entries({ ...see, ...change })
  const managers = new Set(['OWNER', 'DIRECTOR', 'EXPERT'])

  test.each(all)('%s: owner, director and expert only', async (_, action) => {
    for (const role of ROLES) {
      const doing = action(ours.as[role], fileId)
      if (managers.has(role)) await doing
      else await expect(doing).rejects.toMatchObject({ code: 'forbidden' })
    }
  })

  test.each(all)('%s: no other tenant, no file in the trash, no image', async (_, action) => {
    await expect(action(theirs.as.OWNER, fileId)).rejects.toMatchObject({ code: 'not_found' })
    const gone = await addStoredVideo(ours.as.OWNER)
    await inTenant(ours.as.OWNER, (tx) => tx.update(file).set({ deletedAt: new Date() }).where(eq(file.id, gone)))
    await expect(action(ours.as.OWNER, gone)).rejects.toMatchObject({ code: 'not_found' })
    const picture = await addStoredVideo(ours.as.OWNER)
    await inTenant(ours.as.OWNER, (tx) => tx.update(file).set({ kind: 'image' }).where(eq(file.id, picture)))
    await expect(action(ours.as.OWNER, picture)).rejects.toMatchObject({ code: 'not_found' })
  })

  test.each(Object.entries(change))('%s needs a plan; reading does not', async (_, action) => {
    const lapsed = { ...ours.as.OWNER, plans: [] }
    await expect(action(lapsed, fileId)).rejects.toMatchObject({ code: 'plan_inactive' })
    await getVideoEditor(lapsed, { fileId })
  })
})

type CaptionActions = Record<string, (actor: TestTenant['as']['OWNER'], id: string) => Promise<unknown>>
