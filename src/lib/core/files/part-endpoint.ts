import type { IncomingMessage, ServerResponse } from 'node:http'
import path from 'node:path'
import type { EndpointTools } from '../http/server.ts'
import { findFullDisk } from '../service-unavailable.ts'
import { UPLOAD_PART_BYTES } from '../shared/upload-part.ts'
import { uploadsFolder, writePart } from './disk/disk-parts.ts'
import { hasDiskSpace } from './disk-space.ts'
import { isPathSafeId } from './key.ts'
import { parsePartPath, verifyPartToken } from './part-url.ts'
import type { SessionCheck } from './session-check.ts'
import { isSignedIn, tokenHolders } from './token-holders.ts'
import { ANYONE } from './url-token.ts'

/** Time limit for one part: 8 MB at 75 kbit/s. */
const REQUEST_TIMEOUT_MS = 900_000

/**
 * Handles PUT of `/v1/part/<tenant>/<upload>/<number>/<size>/<token>` for the disk store and returns the ETag of the
 * part. Errors follow S3 where the uploader of the browser depends on them: an expired URL is 403 in XML. Otherwise:
 * 404 for an invalid or unknown upload, 400 for a wrong size, 409 when a later write of the part overtook this one, 507
 * when the disk reserve would be used.
 */
export function partEndpoint(directory: string, check: SessionCheck) {
  return async (request: IncomingMessage, response: ServerResponse, tools: EndpointTools): Promise<void> => {
    if (request.method !== 'PUT') return tools.refuse(405, 'invalid')
    const part = parsePartPath(request.url ?? '')
    const verdict = part ? verifyPartToken(part, tokenHolders(request)) : 'wrong'
    if (!part || verdict === 'wrong' || !isPathSafeId(part.tenantId) || !isPathSafeId(part.uploadId))
      return tools.refuse(404, 'not_found')
    if (verifyPartToken(part, [ANYONE]) === 'wrong' && !(await isSignedIn(request, part.tenantId, check))) {
      return tools.refuse(404, 'not_found')
    }
    if (verdict === 'expired') return respondExpired(request, response, tools)
    const declared = request.headers['content-length']
    const isExpectedSize = declared === undefined || Number(declared) === part.size
    if (!isExpectedSize || part.size > UPLOAD_PART_BYTES) return tools.refuse(400, 'invalid')

    if (!(await hasDiskSpace(part.size))) return tools.refuse(507, 'disk_full')
    tools.setBodyTimeout(REQUEST_TIMEOUT_MS)
    const folder = path.join(uploadsFolder(directory), part.tenantId, part.uploadId)
    const written = await writePart(folder, part, request).catch((error: NodeJS.ErrnoException) => {
      if (findFullDisk(error)) return { refused: 'disk_full' as const }
      // The client disconnected: there is no response to send.
      if (request.destroyed && (error.code === 'ECONNRESET' || error.code === 'ERR_STREAM_PREMATURE_CLOSE')) return null
      throw error
    })
    if (written === null || response.destroyed) return
    if ('refused' in written) {
      const [status, code] = REFUSALS[written.refused]
      return tools.refuse(status, code)
    }
    response.writeHead(200, { ...tools.headers, ETag: `"${written.etag}"`, 'Content-Length': 0 }).end()
  }
}

const REFUSALS = {
  unknown: [404, 'not_found'],
  overtaken: [409, 'conflict'],
  size_differs: [400, 'invalid'],
  disk_full: [507, 'disk_full'],
} as const

function respondExpired(request: IncomingMessage, response: ServerResponse, tools: EndpointTools): void {
  const body = '<Error><Code>AccessDenied</Code><Message>Request has expired</Message></Error>'
  request.resume()
  const headers = { 'Content-Type': 'application/xml; charset=utf-8', 'Content-Length': body.length }
  response.writeHead(403, { ...tools.headers, ...headers }).end(body)
}
