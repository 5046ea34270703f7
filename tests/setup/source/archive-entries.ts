import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import { extract } from 'tar-stream'
import { fromBufferPromise } from 'yauzl'

/** Reads all files of a ZIP or a gzipped tar by path. */
export async function readArchive(archive: Buffer): Promise<Map<string, Buffer>> {
  return archive.readUInt16BE(0) === 0x1f8b ? readTar(gunzipSync(archive)) : readZip(archive)
}

async function readTar(tar: Buffer): Promise<Map<string, Buffer>> {
  const found = new Map<string, Buffer>()
  for await (const entry of Readable.from([tar]).pipe(extract())) {
    const bytes = await buffer(entry)
    if (entry.header.type === 'file') found.set(entry.header.name.replace(/^\.\//, ''), bytes)
  }
  return found
}

async function readZip(bytes: Buffer): Promise<Map<string, Buffer>> {
  const found = new Map<string, Buffer>()
  const zip = await fromBufferPromise(bytes)
  for await (const entry of zip.eachEntry()) {
    if (!entry.fileName.endsWith('/')) found.set(entry.fileName, await buffer(await zip.openReadStreamPromise(entry)))
  }
  return found
}
