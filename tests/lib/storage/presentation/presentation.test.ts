import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { and, eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { inTenant } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { store } from '#lib/core/files/files.ts'
import { convertToPdf, inspectConverter, type OfficeConverter } from '#lib/core/media/office-converter.ts'
import {
  convertPresentation,
  getConverter,
  getPresentation,
  startPresentation,
} from '#lib/storage/presentation/presentation.ts'
import { file, storageUse, upload } from '#lib/storage/table.ts'
import { addOriginalBytes } from '#lib/storage/upload/quota.ts'
import { createOtherTenant, createTestTenant, type TestTenant } from '../../../setup/tenants.ts'

// A program with the command line of LibreOffice. What it does is the content of the document.
const FAKE = `#!/bin/sh
[ "$1" = "--version" ] && echo "LibreOffice 7.4.7.2 (fake)" && exit 0
for last; do :; done
while [ "$1" != "--outdir" ]; do echo "$1" >> arguments.txt; shift; done
env >> arguments.txt
cp profile/user/registrymodifications.xcu .
case "$(cat "$last")" in
  *slow*) sleep 300 & echo $! > child.txt; wait ;;
  *nothing*) exit 0 ;;
  *long*) { echo "%PDF-1.7"; yes "/Type/Page/" | head -n 501; } > "$2/presentation.pdf" ;;
  *) printf '%%PDF-1.7 /Type/Page/ /Type/Page/' > "$2/presentation.pdf" ;;
esac
`
const program = vi.hoisted(() => {
  const folder = `${process.env.TMPDIR ?? '/tmp'}/fake-office-${process.pid}`
  process.env.LIBREOFFICE_PATH = `${folder}/soffice`
  return { folder, path: `${folder}/soffice` }
})
mkdirSync(program.folder, { recursive: true })
writeFileSync(program.path, FAKE, { mode: 0o755 })

const { signal } = new AbortController()
let folder: string
let converter: OfficeConverter
let ours: TestTenant
let theirs: TestTenant
beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'office-'))
  converter = await inspectConverter(program.path)
  ours = await createTestTenant()
  theirs = await createOtherTenant()
})
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
  await rm(program.folder, { recursive: true, force: true })
})

async function convert(content: string, options: { timeLimitMs?: number; signal?: AbortSignal } = {}) {
  const scratch = await mkdtemp(path.join(folder, 'run-'))
  const input = path.join(scratch, 'presentation.pptx')
  await writeFile(input, content)
  return { scratch, pdf: convertToPdf(converter, input, { folder: scratch, signal, ...options }) }
}

// A killed process remains as a zombie where nothing waits for it.
const isAlive = async (processId: number) =>
  /\) [^Z]/.test(await readFile(`/proc/${processId}/stat`, 'utf8').catch(() => ''))

describe('the converter', () => {
  test('runs without a window, macros, the environment of the server and the profile of its user', async () => {
    const { scratch, pdf } = await convert('deck')
    expect(path.dirname(await pdf)).toBe(path.join(scratch, 'converted'))
    const used = await readFile(path.join(scratch, 'arguments.txt'), 'utf8')
    expect(used).toContain(`-env:UserInstallation=file://${scratch}/profile\n`)
    expect(used).toMatch(/^--headless\n(?:.*\n)*--norestore\n(?:.*\n)*--convert-to\npdf\n/m)
    expect(used).toContain(`HOME=${scratch}\n`)
    expect(used).not.toMatch(/SECRET|DATABASE/)
    const settings = await readFile(path.join(scratch, 'registrymodifications.xcu'), 'utf8')
    expect(settings).toContain('<prop oor:name="DisableMacrosExecution" oor:op="fuse"><value>true</value></prop>')
  })

  test('is killed with all its processes after the time limit', async () => {
    const { scratch, pdf } = await convert('slow', { timeLimitMs: 1500 })
    await expect(pdf).rejects.toMatchObject({ fault: 'too_long' })
    const child = Number(await readFile(path.join(scratch, 'child.txt'), 'utf8'))
    await expect.poll(() => isAlive(child)).toBe(false)
  })

  test('is stopped with the process of the job', async () => {
    const { pdf } = await convert('slow', { signal: AbortSignal.timeout(300) })
    await expect(pdf).rejects.toMatchObject({ fault: 'stopped' })
  })

  test.each([
    ['nothing', 'damaged'],
    ['long', 'too_heavy'],
  ])('fails for a document that results in %s', async (content, fault) => {
    await expect((await convert(content)).pdf).rejects.toMatchObject({ fault })
  })

  test('is missing without its program', async () => {
    await expect(inspectConverter(path.join(folder, 'none'))).rejects.toThrow()
  })
})

const SAMPLE = 'a'.repeat(64)
const input = (name: string) => ({
  name,
  size: 4,
  head: Buffer.from('PK\u0003\u0004').toString('base64'),
  sample: SAMPLE,
})

/** An upload of a presentation that was finished. */
async function uploaded(content: string, name = 'Урок 1.pptx'): Promise<string> {
  const owner = ours.as.OWNER
  const fileId = newId()
  const row = { tenantId: owner.tenantId, id: fileId, ownerId: owner.membershipId, name, area: 'presentation' as const }
  const type = { kind: 'doc' as const, mime: 'application/octet-stream', size: content.length }
  await store.put(`${owner.tenantId}/${fileId}`, Buffer.from(content))
  await inTenant(owner, async (tx) => {
    await tx.insert(upload).values({ ...row, ...type, sample: SAMPLE, storeId: newId(), state: 'uploadFinished' })
    await tx.insert(file).values({ ...row, ...type })
    await addOriginalBytes(tx, owner.tenantId, content.length)
  })
  return fileId
}

const run = (fileId: string) => convertPresentation({ tenantId: ours.tenant.id, fileId }, { signal })
const usedBytes = () =>
  inTenant(ours.as.OWNER, (tx) => tx.select({ original: storageUse.original }).from(storageUse)).then(
    ([row]) => row?.original ?? 0,
  )
const originals = () =>
  inTenant(ours.as.OWNER, (tx) => tx.select({ id: file.id }).from(file).where(eq(file.area, 'presentation')))

describe('a presentation that is uploaded as slides', () => {
  test('becomes a PDF of the file library, and is not kept', async () => {
    const owner = ours.as.OWNER
    const before = await usedBytes()
    const fileId = await uploaded('deck')
    expect(await getPresentation(owner, { fileId })).toEqual({ is: 'pending' })
    await run(fileId)
    await run(fileId)
    const state = await getPresentation(owner, { fileId })
    if (state.is !== 'ready') return expect.unreachable()
    const isPdf = and(eq(file.id, state.fileId), eq(file.area, 'storage'))
    const [pdf] = await inTenant(owner, (tx) => tx.select().from(file).where(isPdf))
    expect(pdf).toMatchObject({ name: 'Урок 1.pdf', mime: 'application/pdf', ownerId: owner.membershipId })
    const content = await store.read(`${owner.tenantId}/${state.fileId}`)
    expect(content && (await buffer(content)).toString()).toContain('%PDF')
    expect(await originals()).toEqual([])
    expect(await usedBytes()).toBe(before + (pdf?.size ?? 0))
  })

  test.each([
    ['nothing', 'damaged'],
    ['long', 'too_large'],
  ])('that results in %s fails, and is not kept either', async (content, failure) => {
    const fileId = await uploaded(content)
    await run(fileId)
    expect(await getPresentation(ours.as.OWNER, { fileId })).toEqual({ is: 'failed', failure })
    expect(await originals()).toEqual([])
  })

  test('is uploaded by those who manage files only, and seen by its owner only', async () => {
    expect(await getConverter(ours.as.OWNER)).toEqual({ isAvailable: true })
    await expect(startPresentation(ours.as.OWNER, input('deck.pptx'))).resolves.toMatchObject({ parts: 1 })
    await expect(startPresentation(ours.as.CURATOR, input('deck.pptx'))).rejects.toMatchObject({ code: 'forbidden' })
    await expect(startPresentation({ ...ours.as.OWNER, plans: [] }, input('deck.pptx'))).rejects.toMatchObject({
      code: 'plan_inactive',
    })
    await expect(startPresentation(ours.as.OWNER, input('deck.key'))).rejects.toMatchObject({
      code: 'wrong_type',
    })
    const fileId = await uploaded('deck')
    for (const actor of [ours.as.DIRECTOR, theirs.as.OWNER])
      await expect(getPresentation(actor, { fileId })).rejects.toMatchObject({ code: 'not_found' })
    await run(fileId)
  })
})
