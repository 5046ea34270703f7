import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { config } from '#lib/core/config/config.ts'
import { type Encoder, findEncoder, inspectEncoder } from '#lib/core/media/encoder.ts'
import { inputArgs } from '#lib/core/media/ffmpeg-args.ts'
import { runMediaTask } from '#lib/core/media/media-task.ts'
import { probeMedia } from '#lib/core/media/probe.ts'
import { removeStaleFolders, withTemporaryFolder } from '#lib/core/media/temporary-folder.ts'

const NULL = ['-f', 'null', '-']
const still = new AbortController().signal

test('ends ffmpeg after its time limit and when it is aborted', async () => {
  const endless = ['-v', 'error', '-re', '-f', 'lavfi', '-i', 'testsrc2=size=64x64', ...NULL]
  await withTemporaryFolder(async (folder) => {
    const task = { program: 'ffmpeg', args: endless, folder, signal: still } as const
    await expect(runMediaTask(await encoder(), { ...task, timeoutSeconds: 0.3 })).rejects.toMatchObject({
      fault: 'too_long',
    })
    const signal = AbortSignal.timeout(200)
    await expect(runMediaTask(await encoder(), { ...task, timeoutSeconds: 60, signal })).rejects.toMatchObject({
      fault: 'stopped',
    })
  })
})

test('opens no network connection for a file', async () => {
  let requestCount = 0
  const server = createServer((_, response) => {
    requestCount += 1
    response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await withTemporaryFolder(async (folder) => {
    const url = `http://127.0.0.1:${port}/a.ts`
    const lists = {
      'hls.mp4': `#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n${url}\n#EXT-X-ENDLIST\n`,
      'concat.mp4': `ffconcat version 1.0\nfile '${url}'\n`,
      'dash.mp4': `<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static"><Period><AdaptationSet><Representation id="1"><BaseURL>${url}</BaseURL></Representation></AdaptationSet></Period></MPD>`,
    }
    for (const [name, text] of Object.entries(lists)) {
      await writeFile(path.join(folder, name), text)
      const looked = probeMedia(await encoder(), path.join(folder, name), { folder, signal: still })
      await expect(looked, name).rejects.toMatchObject({ fault: 'damaged' })
      const task = { program: 'ffmpeg', folder, signal: still, timeoutSeconds: 10 } as const
      const args = [...inputArgs(path.join(folder, name)), ...NULL]
      await expect(runMediaTask(await encoder(), { ...task, args }), name).rejects.toMatchObject({ fault: 'damaged' })
    }
  })
  server.close()
  expect(requestCount).toBe(0)
})

test('isolates ffmpeg from the network where the system supports it', async () => {
  const { sandbox } = await encoder()
  const server = createServer((_, response) => response.end('x'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  let reached = false
  server.on('connection', () => {
    reached = true
  })
  await withTemporaryFolder(async (folder) => {
    const args = ['-v', 'error', '-i', `http://127.0.0.1:${port}/`, ...NULL]
    await expect(
      runMediaTask(await encoder(), { program: 'ffmpeg', args, folder, signal: still, timeoutSeconds: 10 }),
    ).rejects.toThrow()
  })
  server.close()
  expect(reached).toBe(sandbox.network === null)
})

test('limits the memory of ffmpeg', async () => {
  const { sandbox } = await encoder()
  expect(sandbox).toMatchObject(process.platform === 'linux' ? { nice: true, memory: true, endsWithParent: true } : {})
  await withTemporaryFolder(async (folder) => {
    const video = ['-f', 'lavfi', '-i', 'testsrc2=size=1920x1080:rate=25:duration=0.4']
    const args = ['-v', 'error', ...video, '-c:v', 'libx264', '-preset', 'veryslow', '-threads', '2', ...NULL]
    const task = { program: 'ffmpeg', args, folder, signal: still, timeoutSeconds: 60 } as const
    await expect(runMediaTask(await encoder(), { ...task, memoryBytes: 480 * 1024 ** 2 })).rejects.toMatchObject({
      fault: 'too_heavy',
    })
    await expect(runMediaTask(await encoder(), task)).resolves.toBeDefined()
  })
})

test('removes only folders of killed processes', async () => {
  const host = os.hostname().replaceAll(/[^A-Za-z0-9.]/g, '')
  const parent = path.join(config.dataDir, 'tmp')
  const names = [
    `media_${host}_99999999_dead`,
    `media_${host}_${process.ppid}_living`,
    'media_elsewhere_1_new',
    'other',
  ]
  for (const name of names) await mkdir(path.join(parent, name), { recursive: true })
  await withTemporaryFolder(async (folder) => {
    await removeStaleFolders()
    expect((await readdir(parent)).sort()).toEqual([...names.slice(1), path.basename(folder)].sort())
  })
  expect((await readdir(parent)).sort()).toEqual(names.slice(1).sort())
})

test('rejects a program that cannot encode', async () => {
  await expect(inspectEncoder('/nowhere/ffmpeg')).rejects.toThrow()
  await expect(inspectEncoder('/bin/true')).rejects.toThrow()
})

async function encoder(): Promise<Encoder> {
  const found = await findEncoder()
  if (!found) throw new Error('These tests need ffmpeg; npm test brings it.')
  return found
}
