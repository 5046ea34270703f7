import { expect, test } from 'vitest'

// Before the configuration is read.
process.env.FFMPEG_PATH = '/nowhere/ffmpeg'

test('keeps videos queued, and reports it, where ffmpeg is missing', async () => {
  const { createTestTenant } = await import('../../setup/tenants.ts')
  const { transcode, listDerivedFiles, upload } = await import('../../setup/media/transcoding.ts')
  const { getVideo } = await import('#lib/storage/video/video.ts')
  const { canEncode } = await import('#lib/storage/video/encode.ts')
  const owner = (await createTestTenant()).as.OWNER
  const fileId = await upload(owner, Buffer.from('a video'))
  expect(await canEncode()).toBe(false)
  await expect(transcode(owner, fileId)).rejects.toMatchObject({ fault: 'stopped' })
  expect(await getVideo(owner, { fileId })).toMatchObject({
    state: 'queued',
    queuePosition: 1,
    encoder: false,
    attempts: 0,
  })
  expect(await listDerivedFiles(owner, fileId)).toEqual({ paths: [], bytes: 0 })
})
