import fs from 'node:fs'
import { open, readFile, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { config } from '../config/config.ts'
import { newId } from '../db/id.ts'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Puts bytes under `<tenant>/<id>`. When it returns they survive a crash: written aside, flushed, then renamed. */
export async function writeStored(tenantId: string, fileId: string, bytes: Uint8Array): Promise<void> {
  const target = placeOf(tenantId, fileId)
  fs.mkdirSync(path.dirname(target), { recursive: true })
  const aside = `${target}.${newId()}`
  const handle = await open(aside, 'wx')
  try {
    await handle.writeFile(bytes)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(aside, target)
}

/** The bytes, or null when there are none. */
export function readStored(tenantId: string, fileId: string): Promise<Buffer<ArrayBuffer> | null> {
  return readFile(placeOf(tenantId, fileId)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
}

/** Forgets the bytes; nothing happens when there are none. */
export function removeStored(tenantId: string, fileId: string): Promise<void> {
  return rm(placeOf(tenantId, fileId), { force: true })
}

// Both parts are checked: a path must never be made of what somebody typed.
function placeOf(tenantId: string, fileId: string): string {
  if (!UUID.test(tenantId) || !UUID.test(fileId)) throw new TypeError('a stored file is named by two ids')
  return path.join(config.dataDir, 'files', tenantId, fileId)
}
