import { createReadStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { config } from '../../config/config.ts'
import type { Endpoint, EndpointTools } from '../../http/server.ts'
import { dictionary } from '../../shared/dictionary.ts'
import { MINUTE_MS } from '../../shared/time.ts'
import { hasOwnSfu, sendOutputCommand } from '../broadcast.ts'
import { cacheVerdicts, type StreamGuard } from '../stream-guard.ts'
import { type HlsAddress, parseHlsPath, signSegmentUrls } from './hls-token.ts'

/** Interval at which the request for a stream is repeated to the media process. */
const REQUEST_INTERVAL_MS = 5000
/** Time that a request waits for the first playlist. */
const START_TIMEOUT_MS = 9000
const POLL_INTERVAL_MS = 100
/** Time after its creation for which a segment is served. */
const SEGMENT_LIFE_MS = MINUTE_MS

const MEDIA_TYPES = dictionary({
  m3u8: 'application/vnd.apple.mpegurl',
  mp4: 'video/mp4',
  m4s: 'video/iso.segment',
})

const recentRequests = new Map<string, { at: number; running: Promise<boolean> }>()

/**
 * Serves `/v1/hls/<token>/<room>/<stream>/<file>`. HLS output starts with the first request for a playlist and ends a
 * minute after the last. A playlist belongs to one viewer and is refused as soon as `guard` refuses the viewer;
 * segments are shared and cacheable. Invalid requests and streams that are not published are 404.
 */
export function hlsEndpoint(guard: StreamGuard): Endpoint {
  const canPlay = cacheVerdicts(guard)
  return async (request, response, tools) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return tools.refuse(405, 'invalid')
    const address = parseHlsPath((request.url ?? '').split('?', 1)[0] ?? '')
    if (!address || !hasOwnSfu()) return tools.refuse(404, 'not_found')
    response.setHeader('access-control-allow-origin', '*')
    const { viewer } = address
    if (!viewer) return sendSegment(address, request.method === 'HEAD', response, tools)
    if (!(await canPlay({ ...viewer, stream: address.stream, direction: 'play', issuedAt: 0 })))
      return tools.refuse(404, 'not_found')
    return sendPlaylist(address, response, tools)
  }
}

async function sendSegment(address: HlsAddress, headOnly: boolean, response: ServerResponse, tools: EndpointTools) {
  const file = path.join(directoryOf(address), address.file)
  const stats = await stat(file).catch(() => null)
  // The init segment holds no media and is needed by every new viewer.
  const isExpired = stats && address.file.endsWith('.m4s') && Date.now() - stats.mtimeMs > SEGMENT_LIFE_MS
  if (!stats || isExpired) return tools.refuse(404, 'not_found')
  response.writeHead(200, {
    ...responseHeaders(address, tools, 'public, max-age=60, immutable'),
    'Content-Length': stats.size,
  })
  if (headOnly) return void response.end()
  // An aborted download is no error.
  await pipeline(createReadStream(file), response).catch(() => response.destroy())
}

async function sendPlaylist(address: HlsAddress, response: ServerResponse, tools: EndpointTools): Promise<void> {
  if (address.file !== 'live.m3u8' && address.file !== 'audio.m3u8') return tools.refuse(404, 'not_found')
  const text = (await requestHls(address))
    ? await waitForFile(path.join(directoryOf(address), address.file), response)
    : null
  if (text === null) return tools.refuse(404, 'not_found')
  const body = signSegmentUrls(text, address)
  const headers = responseHeaders(address, tools, 'private, no-cache')
  response.writeHead(200, { ...headers, 'Content-Length': Buffer.byteLength(body) }).end(body)
}

function requestHls({ room, stream }: HlsAddress): Promise<boolean> {
  const key = `${room}/${stream}`
  const recent = recentRequests.get(key)
  if (recent && Date.now() - recent.at < REQUEST_INTERVAL_MS) return recent.running
  const isRunning = sendOutputCommand({ op: 'hls', room, stream, directory: hlsDirectory(room, stream) }).then(
    (answer) => {
      if (answer.running !== true) recentRequests.delete(key)
      return answer.running === true
    },
    () => {
      recentRequests.delete(key)
      return false
    },
  )
  recentRequests.set(key, { at: Date.now(), running: isRunning })
  return isRunning
}

async function waitForFile(file: string, response: ServerResponse): Promise<string | null> {
  for (const end = Date.now() + START_TIMEOUT_MS; Date.now() < end && !response.destroyed; ) {
    const text = await readFile(file, 'utf8').catch(() => null)
    if (text) return text
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS))
  }
  return null
}

function responseHeaders({ file }: HlsAddress, { headers }: EndpointTools, lifetime: string) {
  const type = MEDIA_TYPES[file.slice(file.lastIndexOf('.') + 1)] ?? 'application/octet-stream'
  return { ...headers, 'Content-Type': type, 'Cache-Control': lifetime, 'Cross-Origin-Resource-Policy': 'cross-origin' }
}

const hlsDirectory = (room: string, stream: string): string =>
  path.join(config.dataDir, 'broadcast', 'hls', room, stream)
const directoryOf = ({ room, stream }: HlsAddress): string => hlsDirectory(room, stream)
