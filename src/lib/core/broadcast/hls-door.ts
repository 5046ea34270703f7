import { createReadStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { config } from '../config/config.ts'
import type { Door, DoorTools } from '../http/server.ts'
import { isOurs, order } from './broadcast.ts'
import { type HlsAddress, readHlsPath } from './hls-ticket.ts'

/** Ms between two signs of life to the maker of a stream. */
const TELL_EVERY = 5000
/** Ms that the first who asks waits for the beginning. */
const PATIENCE = 9000
const LOOK_EVERY = 100

const TYPES: Record<string, string> = {
  m3u8: 'application/vnd.apple.mpegurl',
  mp4: 'video/mp4',
  m4s: 'video/iso.segment',
}

const told = new Map<string, { at: number; running: Promise<boolean> }>()

/**
 * Answers GET of `/v1/hls/<ticket>/<room>/<stream>/<file>`: a stream as HLS, made from the first who asks for its playlist
 * until a minute after the last. Plain files with lifetimes that any cache between can keep to. Anything wrong, and a
 * stream that nobody sends, is not found.
 */
export const hlsDoor: Door = async (request, response, tools) => {
  if (request.method !== 'GET' && request.method !== 'HEAD') return tools.refuse(405, 'invalid')
  const asked = readHlsPath((request.url ?? '').replace(/\?.*$/, ''))
  if (!asked || !isOurs()) return tools.refuse(404, 'not_found')
  response.setHeader('access-control-allow-origin', '*')
  if (asked.file.endsWith('.m3u8')) return list(asked, response, tools)
  const file = path.join(placeOf(asked), asked.file)
  const found = await stat(file).catch(() => null)
  if (!found) return tools.refuse(404, 'not_found')
  response.writeHead(200, { ...headersOf(asked, tools, 'public, max-age=60, immutable'), 'Content-Length': found.size })
  if (request.method === 'HEAD') return void response.end()
  // A viewer who goes away in the middle is no fault.
  await pipeline(createReadStream(file), response).catch(() => response.destroy())
}

async function list(asked: HlsAddress, response: ServerResponse, tools: DoorTools): Promise<void> {
  if (asked.file !== 'live.m3u8' && asked.file !== 'audio.m3u8') return tools.refuse(404, 'not_found')
  const body = (await isMade(asked)) ? await awaited(path.join(placeOf(asked), asked.file), response) : null
  if (!body) return tools.refuse(404, 'not_found')
  const headers = headersOf(asked, tools, 'public, max-age=1')
  response.writeHead(200, { ...headers, 'Content-Length': body.length }).end(body)
}

function isMade({ room, stream }: HlsAddress): Promise<boolean> {
  const key = `${room}/${stream}`
  const known = told.get(key)
  if (known && Date.now() - known.at < TELL_EVERY) return known.running
  const running = order({ op: 'hls', room, stream, directory: hlsPlace(room, stream) }).then(
    (answer) => {
      if (answer.running !== true) told.delete(key)
      return answer.running === true
    },
    () => {
      told.delete(key)
      return false
    },
  )
  told.set(key, { at: Date.now(), running })
  return running
}

async function awaited(file: string, response: ServerResponse): Promise<Buffer | null> {
  for (const end = Date.now() + PATIENCE; Date.now() < end && !response.destroyed; ) {
    const body = await readFile(file).catch(() => null)
    if (body) return body
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY))
  }
  return null
}

function headersOf({ file }: HlsAddress, { headers }: DoorTools, lifetime: string) {
  const type = TYPES[file.slice(file.lastIndexOf('.') + 1)] ?? 'application/octet-stream'
  return { ...headers, 'Content-Type': type, 'Cache-Control': lifetime, 'Cross-Origin-Resource-Policy': 'cross-origin' }
}

const hlsPlace = (room: string, stream: string): string => path.join(config.dataDir, 'broadcast', 'hls', room, stream)
const placeOf = ({ room, stream }: HlsAddress): string => hlsPlace(room, stream)
