import fs from 'node:fs'
import { open, readFile, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { config } from '../config/config.ts'
import { newId } from '../db/id.ts'
import { deleteObject, getObject, putObject } from './object-store.ts'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Puts bytes under `<tenant>/<id>`, in the object store or on the disk. When it returns they survive a crash. */
export function writeStored(tenantId: string, fileId: string, bytes: Uint8Array): Promise<void> {
  const name = nameOf(tenantId, fileId)
  return config.s3 ? putObject(config.s3, name, bytes) : writeWhole(placeOf(name), bytes)
}

/** The bytes, or null when there are none. */
export function readStored(tenantId: string, fileId: string): Promise<Buffer<ArrayBuffer> | null> {
  const name = nameOf(tenantId, fileId)
  if (config.s3) return getObject(config.s3, name)
  return readFile(placeOf(name)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
}

/** Forgets the bytes; nothing happens when there are none. */
export function removeStored(tenantId: string, fileId: string): Promise<void> {
  const name = nameOf(tenantId, fileId)
  return config.s3 ? deleteObject(config.s3, name) : rm(placeOf(name), { force: true })
}

// Both parts are checked: a path must never be made of what somebody typed.
function nameOf(tenantId: string, fileId: string): string {
  if (!UUID.test(tenantId) || !UUID.test(fileId)) throw new TypeError('a stored file is named by two ids')
  return `${tenantId}/${fileId}`
}

function placeOf(name: string): string {
  return path.join(config.dataDir, 'files', name)
}

// Written aside, flushed, then renamed: a crash leaves the whole file or none.
async function writeWhole(target: string, bytes: Uint8Array): Promise<void> {
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
