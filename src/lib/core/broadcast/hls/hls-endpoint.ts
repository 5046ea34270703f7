import { createReadStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { config } from '../../config/config.ts'
import type { Door, DoorTools } from '../../http/server.ts'
import { dictionary } from '../../shared/dictionary.ts'
import { isOurs, order } from '../broadcast.ts'
import { rememberVerdicts, type StreamGuard } from '../stream-guard.ts'
import { type HlsAddress, readHlsPath, withSharedAddresses } from './hls-token.ts'

/** Ms between two signs of life to the maker of a stream. */
const TELL_EVERY = 5000
/** Ms that the first who asks waits for the beginning. */
const PATIENCE = 9000
const LOOK_EVERY = 100
/** So long a segment is served after it was written. */
const SEGMENT_LIFE_MS = 60_000

const TYPES = dictionary({
  m3u8: 'application/vnd.apple.mpegurl',
  mp4: 'video/mp4',
  m4s: 'video/iso.segment',
})

const told = new Map<string, { at: number; running: Promise<boolean> }>()

/**
 * Answers GET of `/v1/hls/<ticket>/<room>/<stream>/<file>`: a stream as HLS, made from the first who asks for its playlist
 * until a minute after the last. A playlist belongs to one viewer and is refused as soon as `guard` refuses the viewer;
 * media files are plain files that any cache between can keep. Anything wrong, and a stream that nobody sends, is not
 * found.
 */
export function hlsDoor(guard: StreamGuard): Door {
  const mayPlay = rememberVerdicts(guard)
  return async (request, response, tools) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return tools.refuse(405, 'invalid')
    const address = readHlsPath((request.url ?? '').split('?', 1)[0] ?? '')
    if (!address || !isOurs()) return tools.refuse(404, 'not_found')
    response.setHeader('access-control-allow-origin', '*')
    const { viewer } = address
    if (!viewer) return sendSegment(address, request.method === 'HEAD', response, tools)
    if (!(await mayPlay({ ...viewer, stream: address.stream, direction: 'play', issued: 0 })))
      return tools.refuse(404, 'not_found')
    return sendPlaylist(address, response, tools)
  }
}

async function sendSegment(address: HlsAddress, headOnly: boolean, response: ServerResponse, tools: DoorTools) {
  const file = path.join(placeOf(address), address.file)
  const found = await stat(file).catch(() => null)
  // The beginning of a stream holds no media and is asked for whenever somebody comes.
  const isOver = found && address.file.endsWith('.m4s') && Date.now() - found.mtimeMs > SEGMENT_LIFE_MS
  if (!found || isOver) return tools.refuse(404, 'not_found')
  response.writeHead(200, {
    ...headersOf(address, tools, 'public, max-age=60, immutable'),
    'Content-Length': found.size,
  })
  if (headOnly) return void response.end()
  // A viewer who goes away in the middle is no fault.
  await pipeline(createReadStream(file), response).catch(() => response.destroy())
}

async function sendPlaylist(address: HlsAddress, response: ServerResponse, tools: DoorTools): Promise<void> {
  if (address.file !== 'live.m3u8' && address.file !== 'audio.m3u8') return tools.refuse(404, 'not_found')
  const text = (await isMade(address)) ? await awaited(path.join(placeOf(address), address.file), response) : null
  if (text === null) return tools.refuse(404, 'not_found')
  const body = withSharedAddresses(text, address)
  const headers = headersOf(address, tools, 'private, no-cache')
  response.writeHead(200, { ...headers, 'Content-Length': Buffer.byteLength(body) }).end(body)
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

async function awaited(file: string, response: ServerResponse): Promise<string | null> {
  for (const end = Date.now() + PATIENCE; Date.now() < end && !response.destroyed; ) {
    const text = await readFile(file, 'utf8').catch(() => null)
    if (text) return text
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
