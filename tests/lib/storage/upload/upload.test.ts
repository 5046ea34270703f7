import { randomBytes } from 'node:crypto'
import { and, eq, sql } from 'drizzle-orm'
import sharp from 'sharp'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { inTenant, pool } from '#lib/core/db/db.ts'
import { store } from '#lib/core/files/files.ts'
import { parsePartPath, verifyPartToken } from '#lib/core/files/part-url.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { MAX_FILE_BYTES } from '#lib/core/shared/stored-file.ts'
import { UPLOAD_PART_BYTES } from '#lib/core/shared/upload-part.ts'
import { storageJobs } from '#lib/storage/jobs.ts'
import { file, fileState, upload } from '#lib/storage/table.ts'
import { discardObjects, purgeFiles } from '#lib/storage/trash.ts'
import { abandonUploads, abortUpload, discardUpload } from '#lib/storage/upload/abort.ts'
import { examineFile } from '#lib/storage/upload/examine.ts'
import { finishUpload } from '#lib/storage/upload/finish.ts'
import { getQuota } from '#lib/storage/upload/quota.ts'
import { findDuplicate, listUploadParts, listUploads, signPart, startUpload } from '#lib/storage/upload/upload.ts'
import { whileRowsFail } from '../../../setup/failing-rows.ts'
import { deleteFiles } from '../../../setup/parsed/storage.ts'
import { createOtherTenant, createTestTenant, type TestTenant } from '../../../setup/tenants.ts'
import { describeUpload, sendPart, sendUpload, uploadFile } from '../../../setup/uploads.ts'

let ours: TestTenant
let theirs: TestTenant
beforeAll(async () => {
  ours = await createTestTenant()
  theirs = await createOtherTenant()
})

const text = (words: string) => new Uint8Array(Buffer.from(words))
const png = async () =>
  new Uint8Array(
    await sharp({ create: { width: 40, height: 30, channels: 3, background: '#1f6feb' } })
      .png()
      .toBuffer(),
  )

describe('an upload', () => {
  test('becomes a file once all parts are present, and the same file when finished again', async () => {
    const bytes = new Uint8Array(Buffer.concat([Buffer.from([0]), randomBytes(UPLOAD_PART_BYTES + 10)]))
    const owner = ours.as.EXPERT
    const { uploadId, partBytes, parts } = await startUpload(owner, await describeUpload('Запис.bin', bytes))
    expect([partBytes, parts]).toEqual([UPLOAD_PART_BYTES, 2])
    expect((await getQuota(owner)).reserved).toBe(bytes.length)
    await sendPart(owner, uploadId, 1, bytes.subarray(0, UPLOAD_PART_BYTES))
    await expect(finishUpload(owner, { uploadId })).rejects.toMatchObject({
      code: 'unprocessable',
      details: { fields: { file: ['upload_incomplete'] } },
    })
    expect(await listUploadParts(owner, { uploadId })).toMatchObject([{ number: 1, size: UPLOAD_PART_BYTES }])
    expect(await listUploads(owner)).toMatchObject([
      { id: uploadId, name: 'Запис.bin', uploadedBytes: UPLOAD_PART_BYTES },
    ])
    expect(await listUploads(ours.as.OWNER)).toEqual([])
    await sendPart(owner, uploadId, 2, bytes.subarray(UPLOAD_PART_BYTES))
    const made = await finishUpload(owner, { uploadId })
    expect(made).toMatchObject({ id: uploadId, kind: 'file', mime: 'application/octet-stream', size: bytes.length })
    expect(await finishUpload(owner, { uploadId })).toEqual(made)
    expect(await listUploads(owner)).toEqual([])
    await examineFile({ tenantId: owner.tenantId, fileId: uploadId })
    expect(await findDuplicate(owner, await describeUpload('інша назва', bytes))).toEqual(made)
    expect(await findDuplicate(theirs.as.OWNER, await describeUpload('інша назва', bytes))).toBeNull()
    await expect(abortUpload(owner, { uploadId })).rejects.toMatchObject({ code: 'unprocessable' })
    await expect(listUploadParts(owner, { uploadId })).rejects.toMatchObject({ code: 'gone' })
    expect(await statesOf(owner, uploadId)).toEqual(['uploadStarted', 'uploadFinished'])
  })

  test('becomes one file when finished twice concurrently', async () => {
    const uploadId = await sendUpload(ours.as.OWNER, 'двічі.txt', text('двічі'))
    const made = await Promise.all([1, 2, 3].map(() => finishUpload(ours.as.OWNER, { uploadId })))
    expect(new Set(made.map((result) => JSON.stringify(result))).size).toBe(1)
    expect(await statesOf(ours.as.OWNER, uploadId)).toEqual(['uploadStarted', 'uploadFinished'])
  })

  test('continues after a crash between the object and its row', async () => {
    const bytes = text('крах')
    const uploadId = await sendUpload(ours.as.OWNER, 'крах.txt', bytes)
    const { tenantId } = ours.as.OWNER
    const [row] = await inTenant(ours.as.OWNER, (tx) => tx.select().from(upload).where(eq(upload.id, uploadId)))
    await store.finishParts(`${tenantId}/${uploadId}`, row?.storeId ?? '')
    expect(await finishUpload(ours.as.OWNER, { uploadId })).toMatchObject({ name: 'крах.txt', kind: 'doc' })
  })

  test('aborted while it is being finished ends in one state, and leaves no object behind', async () => {
    const before = await getQuota(ours.as.OWNER)
    for (let n = 0; n < 6; n += 1) {
      const uploadId = await sendUpload(ours.as.OWNER, 'суперечка.txt', text('суперечка'))
      const [finished, aborted] = await Promise.allSettled([
        finishUpload(ours.as.OWNER, { uploadId }),
        abortUpload(ours.as.OWNER, { uploadId }),
      ])
      expect([finished.status, aborted.status].sort()).toEqual(['fulfilled', 'rejected'])
      await discard(ours.as.OWNER, uploadId)
      const there = await store.stat(`${ours.tenant.id}/${uploadId}`)
      expect(there !== null).toBe(finished.status === 'fulfilled')
    }
    expect((await getQuota(ours.as.OWNER)).reserved).toBe(before.reserved)
  })

  test('releases its reserved space once when aborted', async () => {
    const { reserved: promised } = await getQuota(ours.as.OWNER)
    const { uploadId } = await startUpload(ours.as.OWNER, await describeUpload('a.txt', text('слова')))
    await Promise.all([1, 2].map(() => abortUpload(ours.as.OWNER, { uploadId })))
    expect((await getQuota(ours.as.OWNER)).reserved).toBe(promised)
    expect(await statesOf(ours.as.OWNER, uploadId)).toEqual(['uploadStarted', 'uploadFailed'])
    await expect(signPart(ours.as.OWNER, { uploadId, number: 1 })).rejects.toMatchObject({ code: 'gone' })
    await expect(finishUpload(ours.as.OWNER, { uploadId })).rejects.toMatchObject({ code: 'gone' })
  })

  test('gets a new URL for a part requested again, but not for a nonexistent part', async () => {
    const { uploadId } = await startUpload(ours.as.OWNER, await describeUpload('a.txt', text('слова')))
    const sign = async () => {
      const { url, expires } = await signPart(ours.as.OWNER, { uploadId, number: 1 })
      expect(Date.parse(expires) - Date.now()).toBeGreaterThan(3_500_000)
      return parsePartPath(url) ?? expect.fail('no address of a part')
    }
    vi.useFakeTimers({ toFake: ['Date'] })
    const first = await sign()
    const judge = (viewer: string) => verifyPartToken(first, [viewer])
    expect([judge(ours.as.OWNER.viewer), judge(ours.as.DIRECTOR.viewer)]).toEqual(['good', 'wrong'])
    vi.setSystemTime(Date.now() + 3_601_000)
    expect([judge(ours.as.OWNER.viewer), verifyPartToken(await sign(), [ours.as.OWNER.viewer])]).toEqual([
      'expired',
      'good',
    ])
    vi.useRealTimers()
    await expect(signPart(ours.as.OWNER, { uploadId, number: 2 })).rejects.toMatchObject({ code: 'invalid' })
  })

  test('is accessible to its creator only, and to no other tenant', async () => {
    const { uploadId } = await startUpload(ours.as.OWNER, await describeUpload('a.txt', text('слова')))
    for (const actor of [ours.as.DIRECTOR, theirs.as.OWNER]) {
      for (const action of [finishUpload, abortUpload, listUploadParts]) {
        await expect(action(actor, { uploadId })).rejects.toMatchObject({ code: 'not_found' })
      }
      await expect(signPart(actor, { uploadId, number: 1 })).rejects.toMatchObject({ code: 'not_found' })
    }
  })

  test('without activity for a day fails, and an active one does not', async () => {
    const { tenantId } = ours.as.OWNER
    const uploadId = await sendUpload(ours.as.OWNER, 'a.txt', text('тиша'))
    const touch = (hours: number) =>
      inTenant(ours.as.OWNER, (tx) =>
        tx
          .update(upload)
          .set({ touchedAt: sql`now() - make_interval(hours => ${hours})` })
          .where(eq(upload.id, uploadId)),
      )
    await touch(23)
    await abandonUploads({ tenantId })
    expect(await listUploads(ours.as.OWNER)).toContainEqual(expect.objectContaining({ id: uploadId }))
    await touch(25)
    const { reserved: promised } = await getQuota(ours.as.OWNER)
    await abandonUploads({ tenantId })
    await abandonUploads({ tenantId })
    expect((await getQuota(ours.as.OWNER)).reserved).toBe(promised - text('тиша').length)
    const [row] = await inTenant(ours.as.OWNER, (tx) => tx.select().from(upload).where(eq(upload.id, uploadId)))
    expect(row).toMatchObject({ state: 'uploadFailed', failure: 'abandoned' })
    await discard(ours.as.OWNER, uploadId)
    expect(await store.listParts(`${tenantId}/${uploadId}`, row?.storeId ?? '')).toEqual([])
  })

  test('adds no second job that fails inactive uploads, and one upload that cannot be failed stops no other', async () => {
    const { tenantId } = theirs.as.OWNER
    const waiting = async () => {
      const { rows } = await pool.query(
        "select data, start_after from pgboss.job where name = 'storage.abandon' and state = 'created' and singleton_key = $1",
        [tenantId],
      )
      return rows
    }
    const ids = []
    for (const words of ['перша', 'друга', 'третя']) ids.push(await sendUpload(theirs.as.OWNER, 'a.txt', text(words)))
    const [bad = '', good = '', active = ''] = ids
    expect(await waiting()).toMatchObject([{ data: { tenantId } }])
    const touch = (id: string, hours: number) =>
      inTenant(theirs.as.OWNER, (tx) =>
        tx
          .update(upload)
          .set({ touchedAt: sql`now() - make_interval(hours => ${hours})` })
          .where(eq(upload.id, id)),
      )
    await touch(bad, 26)
    await touch(good, 25)
    await touch(active, 20)
    await pool.query("delete from pgboss.job where name = 'storage.abandon'")
    await whileRowsFail({ table: 'upload', column: 'id', value: bad }, async () => {
      await expect(abandonUploads({ tenantId })).rejects.toThrow('1 of 2 items failed')
    })
    expect((await listUploads(theirs.as.OWNER)).map(({ id }) => id)).toEqual([bad, active])
    // For the time at which the active one has been inactive for a day.
    const [next] = await waiting()
    expect(Math.round((next.start_after - Date.now()) / 3_600_000)).toBe(4)
    await abandonUploads({ tenantId })
    expect((await listUploads(theirs.as.OWNER)).map(({ id }) => id)).toEqual([active])
    expect(await waiting()).toHaveLength(1)
  })

  test('is placed at the top level when its folder was deleted meanwhile', async () => {
    const folderId = await folder(ours.as.OWNER)
    const uploadId = await sendUpload(ours.as.OWNER, 'a.txt', text('сирота'), folderId)
    await inTenant(ours.as.OWNER, (tx) => tx.update(file).set({ deletedAt: new Date() }).where(eq(file.id, folderId)))
    expect((await finishUpload(ours.as.OWNER, { uploadId })).parentId).toBeNull()
  })

  test('enqueues its jobs', () => {
    expect(Object.keys(storageJobs)).toEqual(
      expect.arrayContaining(['storage.examine', 'storage.abandon', 'storage.discardUpload']),
    )
  })
})

describe('an upload is refused before the first byte', () => {
  test('in the order of the rules', async () => {
    const picture = await png()
    const described = await describeUpload('a.png', picture)
    const foreign = await folder(theirs.as.OWNER)
    const lapsed = { ...ours.as.OWNER, plans: [] }
    const worst = { ...described, size: 0, name: 'a.exe', parentId: foreign }
    const steps: [Actor, Partial<typeof described>, string, object?][] = [
      [ours.as.CURATOR, worst, 'forbidden'],
      [lapsed, worst, 'plan_inactive'],
      [ours.as.OWNER, worst, 'invalid', { fields: { file: ['file_empty'] } }],
      [ours.as.OWNER, { ...worst, size: MAX_FILE_BYTES + 1 }, 'too_large', { variables: { max: MAX_FILE_BYTES } }],
      [ours.as.OWNER, { ...worst, size: MAX_FILE_BYTES }, 'wrong_type', { fields: { file: ['file_type'] } }],
      [
        ours.as.OWNER,
        { ...worst, size: MAX_FILE_BYTES, name: 'a.mp4' },
        'wrong_type',
        { fields: { file: ['file_differs'] } },
      ],
      [ours.as.OWNER, { parentId: foreign, size: MAX_FILE_BYTES }, 'not_found'],
    ]
    const before = await count(ours.as.OWNER)
    for (const [actor, given, code, details = {}] of steps) {
      await expect(startUpload(actor, { ...described, ...given })).rejects.toMatchObject({ code, details })
    }
    expect(await count(ours.as.OWNER)).toBe(before)
  })

  test('with the sizes when the plan has no space, and the last megabyte is reserved by one of two', async () => {
    const small = await createTestTenant()
    const limit = 300 * 1024 ** 3
    const megabyte = { ...(await describeUpload('a.bin', new Uint8Array([0, 1, 2]))), size: 1024 ** 2 }
    for (let n = 0; n < 15; n += 1) await startUpload(small.as.OWNER, { ...megabyte, size: MAX_FILE_BYTES - 1024 })
    await startUpload(small.as.OWNER, { ...megabyte, size: 15 * 1024 - 1 })
    const { reserved: promised } = await getQuota(small.as.OWNER)
    expect(limit - promised).toBe(1)
    await abortUpload(small.as.OWNER, { uploadId: (await listUploads(small.as.OWNER)).at(-1)?.id ?? '' })
    const people = [small.as.OWNER, small.as.DIRECTOR, small.as.EXPERT]
    const input = { ...megabyte, size: 15 * 1024 }
    const answers = await Promise.allSettled(people.map((actor) => startUpload(actor, input)))
    expect(answers.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected'])
    const refused = answers.find(({ status }) => status === 'rejected')
    expect(refused).toMatchObject({
      reason: {
        code: 'unprocessable',
        details: { fields: { file: ['storage_full'] }, variables: { used: limit, max: limit, size: 15 * 1024 } },
      },
    })
    expect((await getQuota(small.as.OWNER)).reserved).toBe(limit)
  })

  test('a content type invented by the browser is not trusted', async () => {
    const page = text('<!doctype html><script>alert(1)</script>')
    const { tenantId } = ours.as.OWNER
    const input = { ...(await describeUpload('a.png', await png())), size: page.length }
    const { uploadId } = await startUpload(ours.as.OWNER, input)
    await sendPart(ours.as.OWNER, uploadId, 1, page)
    await expect(finishUpload(ours.as.OWNER, { uploadId })).rejects.toMatchObject({
      code: 'wrong_type',
      details: { fields: { file: ['file_differs'] } },
    })
    await discard(ours.as.OWNER, uploadId)
    expect(await store.stat(`${tenantId}/${uploadId}`)).toBeNull()
    const [row] = await inTenant(ours.as.OWNER, (tx) => tx.select().from(upload).where(eq(upload.id, uploadId)))
    expect(row).toMatchObject({ state: 'uploadFailed', failure: 'type_differs' })
  })
})

test('an installer named as a document is refused by its inner content', async () => {
  const compound = (classId: string) => {
    const bytes = Buffer.alloc(9000)
    Buffer.from('d0cf11e0a1b11ae1', 'hex').copy(bytes)
    bytes.writeUInt16LE(9, 30)
    bytes.writeUInt32LE(12, 48)
    Buffer.from(classId, 'hex').copy(bytes, 13 * 512 + 80)
    return new Uint8Array(bytes)
  }
  const word = compound('0609020000000000c000000000000046')
  expect(await uploadFile(ours.as.OWNER, 'план.doc', word)).toMatchObject({ kind: 'doc', mime: 'application/msword' })
  await expect(
    uploadFile(ours.as.OWNER, 'план.doc', compound('84100c0000000000c000000000000046')),
  ).rejects.toMatchObject({ code: 'wrong_type', details: { fields: { file: ['file_type'] } } })
})

test('the storage counter equals the stored bytes after many concurrent changes', { timeout: 60_000 }, async () => {
  const mine = await createTestTenant()
  const { OWNER, DIRECTOR, EXPERT } = mine.as
  const actions = Array.from({ length: 24 }, async (_, n) => {
    const actor = [OWNER, DIRECTOR, EXPERT][n % 3] ?? OWNER
    const uploadId = await sendUpload(actor, `${n}.txt`, text('слово '.repeat(n + 1)))
    if (n % 4 === 1) return abortUpload(actor, { uploadId })
    if (n % 4 === 2) return Promise.allSettled([finishUpload(actor, { uploadId }), abortUpload(actor, { uploadId })])
    await Promise.all([finishUpload(actor, { uploadId }), finishUpload(actor, { uploadId })])
  })
  await Promise.all(actions)
  const pictures = await Promise.all([
    uploadFile(OWNER, 'a.png', await png()),
    uploadFile(EXPERT, 'b.png', await png()),
  ])
  for (const { id } of pictures) {
    await Promise.all([1, 2].map(() => examineFile({ tenantId: mine.tenant.id, fileId: id })))
  }
  const files = await inTenant(OWNER, (tx) => tx.select({ id: file.id }).from(file).orderBy(file.id))
  const fileIds = files.slice(0, 7).map(({ id }) => id)
  await deleteFiles(OWNER, { fileIds: [...fileIds, ...pictures.slice(1).map(({ id }) => id)] })
  await Promise.all([1, 2].map(() => purgeFiles(DIRECTOR, { fileIds }).catch(() => null)))
  await purgeFiles(OWNER, { fileIds: pictures.slice(1).map(({ id }) => id) })
  await discardObjects({ tenantId: mine.tenant.id, fileIds: [...fileIds, ...pictures.slice(1).map(({ id }) => id)] })
  const rows = await inTenant(OWNER, (tx) => tx.select().from(upload).where(eq(upload.state, 'uploadFailed')))
  for (const { id } of rows) await discard(OWNER, id)
  const sums = { used: 0, made: 0 }
  for await (const { key, size } of store.list(`${mine.tenant.id}/`))
    sums[key.includes('.made/') ? 'made' : 'used'] += size
  const { used, derived: made, reserved: promised } = await getQuota(OWNER)
  expect({ used, made, promised }).toEqual({ ...sums, promised: 0 })
  expect(sums.made).toBeGreaterThan(0)
})

async function discard({ tenantId }: Actor, uploadId: string): Promise<void> {
  const [row] = await inTenant({ tenantId }, (tx) =>
    tx
      .select()
      .from(upload)
      .where(and(eq(upload.id, uploadId), eq(upload.state, 'uploadFailed'))),
  )
  if (row) await discardUpload({ tenantId, uploadId, storeId: row.storeId })
}

async function statesOf(actor: Actor, fileId: string): Promise<string[]> {
  const rows = await inTenant(actor, (tx) =>
    tx
      .select({ event: fileState.event })
      .from(fileState)
      .where(eq(fileState.fileId, fileId))
      .orderBy(fileState.at, fileState.id),
  )
  return rows.map(({ event }) => event)
}

async function folder({ tenantId, membershipId: ownerId }: Actor): Promise<string> {
  const [made] = await inTenant({ tenantId }, (tx) =>
    tx
      .insert(file)
      .values({ tenantId, ownerId, kind: 'folder', name: randomBytes(4).toString('hex') })
      .returning(),
  )
  return made?.id ?? ''
}

const count = (actor: Actor) => inTenant(actor, (tx) => tx.$count(upload))
