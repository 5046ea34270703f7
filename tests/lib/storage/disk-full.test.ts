import fs from 'node:fs'
import path from 'node:path'
import { beforeAll, expect, test } from 'vitest'

// The configuration is read once: two gigabytes, or half of the free space, can be used.
const { bavail, bsize } = fs.statfsSync(process.env.DATA_DIR ?? '.')
const free = Math.floor((bavail * bsize) / 1024 ** 2)
process.env.DISK_RESERVE_MB = String(Math.max(free - 2048, Math.floor(free / 2)))
const { config } = await import('#lib/core/config/config.ts')
const { inTenant } = await import('#lib/core/db/db.ts')
const { hasDiskSpace } = await import('#lib/core/files/disk-space.ts')
const { abortUpload } = await import('#lib/storage/upload/abort.ts')
const { finishUpload } = await import('#lib/storage/upload/finish.ts')
const { getQuota } = await import('#lib/storage/upload/quota.ts')
const { signPart, startUpload } = await import('#lib/storage/upload/upload.ts')
const { discardUpload, removeOrphanedParts } = await import('#lib/storage/upload/abort.ts')
const { upload } = await import('#lib/storage/table.ts')
const { createTestTenant } = await import('../../setup/tenants.ts')
const { describeUpload, sendPart } = await import('../../setup/uploads.ts')

let owner: Awaited<ReturnType<typeof createTestTenant>>['as']['OWNER']
beforeAll(async () => {
  owner = (await createTestTenant()).as.OWNER
})

const uploads = path.join(config.dataDir, 'files', '.uploads')
const folders = () => {
  const tenant = path.join(uploads, owner.tenantId)
  return fs.existsSync(tenant) ? fs.readdirSync(tenant) : []
}
const bytes = new Uint8Array(Buffer.from('Нотатки до уроку'))

test('is refused before its first byte when it would use the disk reserve, and leaves nothing behind', async () => {
  const promise = await describeUpload('запис.txt', bytes)
  await expect(startUpload(owner, { ...promise, size: 8 * 1024 ** 3 })).rejects.toMatchObject({
    code: 'disk_full',
    status: 507,
  })
  expect((await getQuota(owner)).reserved).toBe(0)
  expect(folders()).toEqual([])
})

test('continues while the disk reserve is free', async () => {
  expect(await hasDiskSpace(0)).toBe(true)
  const { uploadId } = await startUpload(owner, await describeUpload('запис.txt', bytes))
  await signPart(owner, { uploadId, number: 1 })
  await sendPart(owner, uploadId, 1, bytes)
  await finishUpload(owner, { uploadId })
})

test('leaves no part behind when it is aborted, even if the clean-up job was lost', async () => {
  for (const isLost of [false, true]) {
    const { uploadId } = await startUpload(owner, await describeUpload('запис.txt', bytes))
    await sendPart(owner, uploadId, 1, bytes)
    const [folder = ''] = folders()
    await abortUpload(owner, { uploadId })
    const [row] = await inTenant(owner, (tx) => tx.select({ storeId: upload.storeId }).from(upload))
    if (isLost) {
      const old = new Date(Date.now() - 3 * 86_400_000)
      fs.utimesSync(path.join(uploads, owner.tenantId, folder), old, old)
      expect(await removeOrphanedParts()).toBe(1)
    } else {
      await discardUpload({ tenantId: owner.tenantId, uploadId, storeId: folder })
    }
    expect(row).toBeDefined()
    expect(folders()).toEqual([])
  }
})

test('keeps the parts of an active upload, however old', async () => {
  await startUpload(owner, await describeUpload('запис.txt', bytes))
  const [folder = ''] = folders()
  const old = new Date(Date.now() - 3 * 86_400_000)
  fs.utimesSync(path.join(uploads, owner.tenantId, folder), old, old)
  expect(await removeOrphanedParts()).toBe(0)
  expect(folders()).toEqual([folder])
})
