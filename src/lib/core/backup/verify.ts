import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import path from 'node:path'
import { parseStored } from '../shared/stored.ts'
import { FILES, JOBS, ListedFile, type Manifest, readLines, readManifest, sha256Of, tableFile } from './archive.ts'

/** Reads a whole backup and compares it with its manifest. Throws with what is missing or differs. */
export async function verifyBackup(folder: string): Promise<Manifest> {
  const manifest = await readManifest(folder)
  for (const [table, { sha256 }] of Object.entries(manifest.tables)) await requireSame(folder, tableFile(table), sha256)
  await requireSame(folder, JOBS, manifest.jobs.sha256)
  await requireSame(folder, FILES, manifest.files.sha256)
  for await (const file of listedFiles(folder)) {
    const found = await stat(path.join(folder, file.path)).catch(() => null)
    if (found?.size !== file.size) throw new Error(`${file.path}: missing, or of another size`)
    await requireSame(folder, file.path, file.sha256)
  }
  return manifest
}

/** The files of a backup. */
export async function* listedFiles(folder: string): AsyncGenerator<ListedFile> {
  for await (const line of readLines(path.join(folder, FILES))) {
    const file = parseStored(ListedFile, JSON.parse(line))
    if (!/^(files|data)\//.test(file.path) || file.path.split('/').includes('..'))
      throw new Error(`${file.path}: not a path of a backup`)
    yield file
  }
}

async function requireSame(folder: string, name: string, sha256: string): Promise<void> {
  const found = await sha256Of(createReadStream(path.join(folder, name)))
  if (found !== sha256) throw new Error(`${name}: damaged, its checksum is not the one of the manifest`)
}
