import type { IncomingMessage } from 'node:http'
import { findRoute } from '../access/routes.ts'
import { MAX_EMAIL_BYTES, REPLIES_PATH } from '../mail/inbound/limits.ts'
import { FILE_PATH, MAX_FORM_WITH_FILE_BYTES } from '../shared/stored-file.ts'

const MAX_BODY_BYTES = 1_048_576
const FILE_ENDPOINT = FILE_PATH.slice(0, -1)

/**
 * Limits the size of a request body. A declared length is checked before the body is read; a streamed body is counted
 * while it is parsed. Returns false when the request was refused; `refuse` is called when the limit is exceeded.
 */
export function limitBodySize(request: IncomingMessage, path: string, refuse: () => void): boolean {
  if (request.method === 'GET' || request.method === 'HEAD') return true
  const limit = maxBodyBytesOf(path)
  if (Number(request.headers['content-length'] ?? 0) > limit) {
    refuse()
    // Read and discarded: a client that is still sending may miss a response that is followed by a closed connection.
    request.resume()
    return false
  }
  if (request.headers['transfer-encoding'] === undefined) return true
  const push = request.push.bind(request)
  let receivedBytes = 0
  request.push = (chunk, encoding) => {
    receivedBytes += chunk?.length ?? 0
    if (receivedBytes <= limit) return push(chunk, encoding)
    refuse()
    return false
  }
  return true
}

/**
 * Ends the connection of a request whose body takes longer than `timeoutMs`. `onTimeout` is called before. Returns a
 * function that restarts the timer with another timeout.
 */
export function limitBodyTime(
  request: IncomingMessage,
  timeoutMs: number,
  onTimeout: () => void,
): (timeoutMs: number) => void {
  const { 'content-length': length = '0', 'transfer-encoding': coding } = request.headers
  if (length === '0' && coding === undefined) return () => {}
  const startTimer = (ms: number) => setTimeout(end, ms).unref()
  let timer = startTimer(timeoutMs)
  const stop = () => clearTimeout(timer)
  request.on('end', stop)
  request.on('close', stop)
  function end() {
    onTimeout()
    request.socket.destroySoon()
  }
  return (ms) => {
    stop()
    timer = startTimer(ms)
  }
}

function maxBodyBytesOf(path: string): number {
  if (path === FILE_ENDPOINT || path.startsWith(FILE_PATH)) return MAX_FORM_WITH_FILE_BYTES
  if (path === REPLIES_PATH) return MAX_EMAIL_BYTES
  return findRoute(path)?.maxBodyBytes ?? MAX_BODY_BYTES
}
