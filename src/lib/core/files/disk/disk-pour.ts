import fs from 'node:fs'
import type { Writable } from 'node:stream'
import { promisify } from 'node:util'

const PIECE = 128 * 1024
/** Pieces of memory kept for the next one, 4 MB in all. */
const MOST_KEPT = 32

const read = promisify(fs.read)
const kept: Buffer[] = []

/**
 * Writes bytes `start` to `end` (both included) of an open file, one piece being read while the one before is taken. The
 * pieces' memory is used again and again: a stream would ask the system for new memory for each of them, which costs
 * more than the reading. Ends quietly when the taker goes away; throws when the file is shorter.
 */
export async function pour(fd: number, { start, end }: { start: number; end: number }, into: Writable): Promise<void> {
  const pieces = [kept.pop() ?? Buffer.allocUnsafeSlow(PIECE), kept.pop() ?? Buffer.allocUnsafeSlow(PIECE)] as const
  let taken: Promise<void> = Promise.resolve()
  try {
    for (let at = start, turn = 0; at <= end && !into.destroyed; turn++) {
      const piece = pieces[turn % 2 === 0 ? 0 : 1]
      const { bytesRead } = await read(fd, piece, 0, Math.min(PIECE, end + 1 - at), at)
      if (bytesRead === 0) throw new Error('the file is shorter than it was')
      at += bytesRead
      await taken
      taken = take(into, piece.subarray(0, bytesRead))
    }
  } finally {
    await taken
    for (const piece of pieces) if (kept.length < MOST_KEPT) kept.push(piece)
  }
}

// Resolves when the memory is free again: the bytes are with the system, or nobody will take them.
function take(into: Writable, piece: Buffer): Promise<void> {
  return new Promise((resolve) => {
    if (into.destroyed) return resolve()
    into.once('close', resolve)
    into.write(piece, () => {
      into.off('close', resolve)
      resolve()
    })
  })
}
