import sharp from 'sharp'
import { expect, test } from 'vitest'
import { newId } from '#lib/core/db/id.ts'
import { findFile } from '#lib/storage/video/image.ts'
import { readCoverField } from '../../src/pages/_request/cover-field.ts'
import { createTestTenant } from '../setup/tenants.ts'

test('an uploaded cover is stored and takes precedence over a chosen one, which can be removed', async () => {
  const { as } = await createTestTenant()
  const png = await sharp({ create: { width: 40, height: 20, channels: 3, background: '#336699' } })
    .png()
    .toBuffer()
  const chosen = newId()
  const form = new FormData()
  expect(await readCoverField(as.OWNER, form)).toEqual({})
  form.set('coverFileId', chosen)
  form.set('cover', new File([], ''))
  expect(await readCoverField(as.OWNER, form)).toEqual({ coverFileId: chosen })
  form.set('cover', new File([new Uint8Array(png)], 'cover.png', { type: 'image/png' }))
  const { coverFileId } = await readCoverField(as.OWNER, form)
  expect(await findFile(as.OWNER, coverFileId ?? '')).toMatchObject({ kind: 'image', mime: 'image/webp' })
  await expect(readCoverField(as.MENTOR, form)).rejects.toMatchObject({ code: 'forbidden' })
  form.set('noCover', 'on')
  expect(await readCoverField(as.OWNER, form)).toEqual({ coverFileId: null })
})
