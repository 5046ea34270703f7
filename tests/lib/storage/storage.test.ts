import { buffer } from 'node:stream/consumers'
import fc from 'fast-check'
import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { store } from '#lib/core/files/files.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { MAX_IMAGE_BYTES, MAX_IMAGE_SIDE_PX } from '#lib/core/shared/stored-file.ts'
import { signFile, signPicture } from '#lib/storage/signed-url.ts'
import { examineFile } from '#lib/storage/upload/examine.ts'
import { getQuota } from '#lib/storage/upload/quota.ts'
import { findFile, storeImage } from '#lib/storage/video/image.ts'
import { createOtherTenant, createTestTenant, type TestTenant } from '../../setup/tenants.ts'

let ours: TestTenant
let theirs: TestTenant
beforeAll(async () => {
  ours = await createTestTenant()
  theirs = await createOtherTenant()
})

const picture = (width = 40, height = 30) =>
  sharp({ create: { width, height, channels: 3, background: '#1f6feb' } })
    .withExif({ IFD0: { Copyright: 'Київ, камера 7' } })
    .jpeg()
    .toBuffer()

describe('an image', () => {
  test('is re-encoded as WebP, smaller, without camera metadata', async () => {
    const { fileId, src, width } = await storeImage(ours.as.EXPERT, {
      name: 'Сцена.jpg',
      bytes: await picture(3000, 100),
    })
    expect(src).toBe(`/v1/file/${fileId}`)
    expect(width).toBe(MAX_IMAGE_SIDE_PX)
    const bytes = await bytesOf(ours.as.EXPERT, fileId)
    const { mime, name, size } = await findFile(ours.as.EXPERT, fileId)
    expect(size).toBe(bytes.length)
    const found = await sharp(bytes).metadata()
    expect([mime, name, found.format]).toEqual(['image/webp', 'Сцена.jpg', 'webp'])
    expect(found.exif).toBeUndefined()
    expect(bytes.includes('камера')).toBe(false)
  })

  test('is not found by another tenant, nor under an invalid id', async () => {
    const { fileId } = await storeImage(ours.as.OWNER, { name: 'a.png', bytes: await picture() })
    for (const requestedId of [fileId, '../../etc/passwd', '', 'x', `${fileId}/..`]) {
      await expect(findFile(theirs.as.OWNER, requestedId)).rejects.toMatchObject({ code: 'not_found' })
      await expect(signFile(theirs.as.OWNER, requestedId)).rejects.toMatchObject({ code: 'not_found' })
    }
    expect((await findFile(ours.as.MEMBER, fileId)).mime).toBe('image/webp')
  })

  test('keeps a name without path components', async () => {
    const { fileId } = await storeImage(ours.as.OWNER, { name: '../../\u0000a\r\nb.png', bytes: await picture() })
    expect((await findFile(ours.as.OWNER, fileId)).name).toBe('....ab.png')
  })
})

describe('a stored image', () => {
  test("gets smaller AVIF and WebP versions with the camera's orientation applied, counted separately", async () => {
    const { OWNER } = ours.as
    const turned = await sharp({ create: { width: 900, height: 1800, channels: 3, background: '#1f6feb' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer()
    const { fileId, width, height } = await storeImage(OWNER, { name: 'a.jpg', bytes: turned })
    expect([width, height]).toEqual([1800, 900])
    const before = await getQuota(OWNER)
    for (const _ of ['once', 'twice']) await examineFile({ tenantId: ours.tenant.id, fileId })
    let made = 0
    for (const width of [320, 640, 1280, 1800]) {
      for (const format of ['avif', 'webp'] as const) {
        const bytes = await bytesOf(OWNER, fileId, `.made/image/${width}.${format}`)
        made += bytes.length
        const found = await sharp(bytes).metadata()
        expect([found.width, found.height, found.format]).toEqual([
          width,
          width / 2,
          format === 'avif' ? 'heif' : 'webp',
        ])
        expect(found.exif).toBeUndefined()
      }
    }
    expect((await getQuota(OWNER)).derived - before.derived).toBe(made)
    expect(await signPicture(OWNER, fileId)).toMatch(/\/image\/1800\.webp$/)
    expect(await signFile(OWNER, fileId, { download: true })).toMatch(/\/original\.webp\?name=a\.jpg&download$/)
  })

  test('stays animated', async () => {
    const frames = Buffer.concat([1, 2].map((n) => Buffer.alloc(20 * 10 * 3, n * 90)))
    const gif = await sharp(frames, { raw: { width: 20, height: 20, channels: 3, pageHeight: 10 } })
      .gif()
      .toBuffer()
    const { fileId, height } = await storeImage(ours.as.OWNER, { name: 'a.gif', bytes: gif })
    expect(height).toBe(10)
    expect((await sharp(await bytesOf(ours.as.OWNER, fileId)).metadata()).pages).toBe(2)
  })
})

describe('an upload is refused', () => {
  const bad: [string, () => Buffer, string][] = [
    ['an empty file', () => Buffer.alloc(0), 'invalid'],
    ['too many bytes', () => Buffer.alloc(MAX_IMAGE_BYTES + 1), 'too_large'],
    ['SVG', () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'), 'wrong_type'],
    ['a page that calls itself a picture', () => Buffer.from('<!doctype html><script>alert(1)</script>'), 'wrong_type'],
    ['the beginning of a PNG', () => Buffer.from('89504e470d0a1a0a', 'hex'), 'wrong_type'],
  ]
  test.each(bad)('%s', async (_, bytes, refused) => {
    await expect(storeImage(ours.as.OWNER, { name: 'a.png', bytes: bytes() })).rejects.toMatchObject({ code: refused })
  })

  test('for any other file content', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 200 }), async (bytes) => {
        await expect(storeImage(ours.as.OWNER, { name: 'a', bytes })).rejects.toMatchObject({ code: 'wrong_type' })
      }),
      { numRuns: 40 },
    )
  })

  test('to those who do not write courses, and to a school with an expired plan', async () => {
    const bytes = await picture()
    for (const role of ['CURATOR', 'MEMBER', 'STUDENT'] as const) {
      await expect(storeImage(ours.as[role], { name: 'a', bytes })).rejects.toMatchObject({ code: 'forbidden' })
    }
    const lapsed = { ...ours.as.OWNER, plans: [] }
    await expect(storeImage(lapsed, { name: 'a', bytes })).rejects.toMatchObject({ code: 'plan_inactive' })
  })
})

async function bytesOf({ tenantId }: Actor, fileId: string, made = ''): Promise<Buffer> {
  const found = await store.read(`${tenantId}/${fileId}${made}`)
  if (!found) throw new Error('there are no such bytes')
  return buffer(found)
}
