import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import path from 'node:path'
import { parseStored } from '../shared/parse-stored.ts'
import {
  ArchivedFile,
  type BackupManifest,
  computeSha256,
  FILES_LIST,
  JOBS_FILE,
  readLines,
  readManifest,
  tableFilePath,
} from './archive.ts'

/**
 * Reads a complete backup and compares it with its manifest. Throws an error that lists missing and different items.
 */
export async function verifyBackup(folder: string): Promise<BackupManifest> {
  const manifest = await readManifest(folder)
  for (const [table, { sha256 }] of Object.entries(manifest.tables))
    await requireChecksum(folder, tableFilePath(table), sha256)
  await requireChecksum(folder, JOBS_FILE, manifest.jobs.sha256)
  await requireChecksum(folder, FILES_LIST, manifest.files.sha256)
  for await (const file of readFileList(folder)) {
    const digest = await stat(path.join(folder, file.path)).catch(() => null)
    if (digest?.size !== file.size) throw new Error(`${file.path}: missing, or of another size`)
    await requireChecksum(folder, file.path, file.sha256)
  }
  return manifest
}

/** The entries of the file list of a backup. */
export async function* readFileList(folder: string): AsyncGenerator<ArchivedFile> {
  for await (const line of readLines(path.join(folder, FILES_LIST))) {
    const file = parseStored(ArchivedFile, JSON.parse(line))
    if (!/^(files|data)\//.test(file.path) || file.path.split('/').includes('..'))
      throw new Error(`${file.path}: not a path of a backup`)
    yield file
  }
}

async function requireChecksum(folder: string, name: string, sha256: string): Promise<void> {
  const digest = await computeSha256(createReadStream(path.join(folder, name)))
  if (digest !== sha256) throw new Error(`${name}: damaged, its checksum is not the one of the manifest`)
}
