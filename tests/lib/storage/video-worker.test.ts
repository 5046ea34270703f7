import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { startJobs } from '#lib/core/jobs/jobs.ts'
import { removeStaleFolders } from '#lib/core/media/temporary-folder.ts'
import { storageJobs } from '#lib/storage/jobs.ts'
import { getVideo } from '#lib/storage/video/video.ts'
import { createClip } from '../../setup/media/clips.ts'
import { findEncoderProcess, listDerivedFiles, listTemporaryFolders, upload } from '../../setup/media/transcoding.ts'
import { createTestTenant } from '../../setup/tenants.ts'

let workers: { stop(): Promise<void> } | undefined
let folder: string | undefined
afterEach(async () => {
  await workers?.stop()
  if (folder) await rm(folder, { recursive: true, force: true })
})

const start = () => startJobs({ 'storage.encode': storageJobs['storage.encode'] ?? (async () => {}) })

test('resumes encoding after the process was stopped midway', async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'videos-'))
  const owner = (await createTestTenant()).as.OWNER
  const from = await createClip(path.join(folder, 'video.mp4'), { seconds: 12, size: '1280x720', tone: 440 })
  const [first, second] = [await upload(owner, from), await upload(owner, from)]
  workers = await start()
  await findEncoderProcess(first, '360/index')
  expect(await getVideo(owner, { fileId: second })).toMatchObject({ state: 'queued', queuePosition: 1 })
  await workers.stop()
  expect(await getVideo(owner, { fileId: first })).toMatchObject({ state: 'queued', attempts: 0, queuePosition: 1 })
  expect(await listTemporaryFolders()).toEqual([])
  workers = await start()
  for (const fileId of [first, second]) {
    const finished = async () =>
      expect(await getVideo(owner, { fileId })).toMatchObject({ state: 'finished', attempts: 1 })
    await vi.waitFor(finished, { timeout: 50_000, interval: 250 })
  }
  expect((await listDerivedFiles(owner, first)).paths).toEqual((await listDerivedFiles(owner, second)).paths)
}, 90_000)

test('stops encoders of a killed process, and removes their temporary folder', async () => {
  const program = path.resolve(import.meta.dirname, '../../setup/media/endless-encoder-process.ts')
  const child = spawn(process.execPath, [program], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [output] = await once(child.stdout.setEncoding('utf8'), 'data')
  const left = String(output).trim()
  const pid = await vi.waitFor(() => processAt(left), { timeout: 5000, interval: 20 })
  child.kill('SIGKILL')
  await vi.waitFor(() => expect(existsSync(`/proc/${pid}`)).toBe(false), 5000)
  expect(existsSync(left)).toBe(true)
  await removeStaleFolders()
  expect(existsSync(left)).toBe(false)
})

async function processAt(folder: string): Promise<number> {
  for (const pid of await readdir('/proc')) {
    const line = /^\d+$/.test(pid) ? await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '') : ''
    if (line.includes(`${folder}/nothing`) && /ffmpeg\0-re/.test(line) && line.startsWith('/')) return Number(pid)
  }
  throw new Error('not yet')
}
