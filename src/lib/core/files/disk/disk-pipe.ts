import fs from 'node:fs'
import type { Writable } from 'node:stream'
import { promisify } from 'node:util'

const BUFFER_BYTES = 128 * 1024
/** Pooled buffers, 4 MB in all. */
const MAX_POOLED_BUFFERS = 32

const read = promisify(fs.read)
const bufferPool: Buffer[] = []

/**
 * Writes bytes `start` to `end` (both included) of an open file to a stream; the next buffer is read while the previous
 * one is written. Buffers are pooled, since allocating them costs more than reading. Returns without an error when the
 * stream is destroyed; throws when the file is shorter.
 */
export async function pipeFile(
  fd: number,
  { start, end }: { start: number; end: number },
  target: Writable,
): Promise<void> {
  const buffers = [
    bufferPool.pop() ?? Buffer.allocUnsafeSlow(BUFFER_BYTES),
    bufferPool.pop() ?? Buffer.allocUnsafeSlow(BUFFER_BYTES),
  ] as const
  let written: Promise<void> = Promise.resolve()
  try {
    for (let position = start, turn = 0; position <= end && !target.destroyed; turn++) {
      const buffer = buffers[turn % 2 === 0 ? 0 : 1]
      const { bytesRead } = await read(fd, buffer, 0, Math.min(BUFFER_BYTES, end + 1 - position), position)
      if (bytesRead === 0) throw new Error('the file is shorter than it was')
      position += bytesRead
      await written
      written = writeBuffer(target, buffer.subarray(0, bytesRead))
    }
  } finally {
    await written
    for (const buffer of buffers) if (bufferPool.length < MAX_POOLED_BUFFERS) bufferPool.push(buffer)
  }
}

// Resolves when the buffer can be reused: it was written, or the stream was destroyed.
function writeBuffer(target: Writable, buffer: Buffer): Promise<void> {
  return new Promise((resolve) => {
    if (target.destroyed) return resolve()
    target.once('close', resolve)
    target.write(buffer, () => {
      target.off('close', resolve)
      resolve()
    })
  })
}
