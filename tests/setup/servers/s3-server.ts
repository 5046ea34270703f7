import { createHash, createHmac } from 'node:crypto'
import { once } from 'node:events'
import fs from 'node:fs'
import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import os from 'node:os'
import path from 'node:path'
import S3rver from 's3rver'
import type { S3Options } from '#lib/core/files/s3/s3-bucket.ts'
import { portOf } from './port.ts'

// The only access key of s3rver.
const KEY = 'S3RVER'
const PARTS_A_PAGE = 2
const CORS = `<CORSConfiguration><CORSRule>
<AllowedOrigin>*</AllowedOrigin><AllowedMethod>GET</AllowedMethod><AllowedMethod>HEAD</AllowedMethod>
<AllowedMethod>PUT</AllowedMethod><AllowedHeader>*</AllowedHeader><ExposeHeader>ETag</ExposeHeader>
<MaxAgeSeconds>3600</MaxAgeSeconds></CORSRule></CORSConfiguration>`

export interface S3Server {
  place: S3Options
  /** The same as environment variables. */
  environment: Record<string, string>
  stop(): Promise<void>
}

/**
 * A real S3 server, s3rver, on a free port with one empty bucket that browsers may use. It reads signatures of version
 * 4 without checking them and implements neither ListParts nor AbortMultipartUpload: both are added here, in front of
 * it.
 */
export async function startS3Server(options: { cors?: boolean } = {}): Promise<S3Server> {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'kafedra-s3-'))
  const configs = options.cors === false ? [] : [CORS]
  const bucket = 'files'
  const s3rver = new S3rver({ directory, silent: true, configureBuckets: [{ name: bucket, configs }] })
  await s3rver.configureBuckets()
  const behind = s3rver.callback()
  const server = http.createServer((request, response) => {
    if (request.method !== 'OPTIONS' && !isSigned(request)) return refuse(response, 403, 'SignatureDoesNotMatch')
    if (!answerParts(directory, request, response)) behind(request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const endpoint = `http://127.0.0.1:${portOf(server)}`
  const place = { endpoint, region: 'us-east-1', bucket, accessKeyId: KEY, secretAccessKey: KEY }
  const environment = {
    S3_ENDPOINT: endpoint,
    S3_BUCKET: bucket,
    S3_ACCESS_KEY_ID: KEY,
    S3_SECRET_ACCESS_KEY: KEY,
  }
  const stop = async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
    fs.rmSync(directory, { recursive: true, force: true })
  }
  return { place, environment, stop }
}

/** AWS Signature Version 4, in the header or in the query; every signed header must be present and unchanged. */
function isSigned(request: IncomingMessage): boolean {
  const url = new URL(request.url ?? '', 'http://s3')
  const query = url.searchParams
  const presigned = query.has('X-Amz-Signature')
  const [, credential = '', names = '', given = ''] = presigned
    ? [
        '',
        query.get('X-Amz-Credential') ?? '',
        query.get('X-Amz-SignedHeaders') ?? '',
        query.get('X-Amz-Signature') ?? '',
      ]
    : (/Credential=([^,]+), *SignedHeaders=([^,]+), *Signature=(\w+)/.exec(request.headers.authorization ?? '') ?? [])
  const [, ...scope] = credential.split('/')
  const [day = '', region = '', service = '', end = ''] = scope
  const instant = presigned ? query.get('X-Amz-Date') : request.headers['x-amz-date']
  query.delete('X-Amz-Signature')
  const pairs = [...query].map(([name, value]) => `${escaped(name)}=${escaped(value)}`).sort()
  const headers = names.split(';').map((name) => `${name}:${String(request.headers[name] ?? '').trim()}\n`)
  const payload = presigned ? 'UNSIGNED-PAYLOAD' : String(request.headers['x-amz-content-sha256'])
  const canonicalRequest = [request.method, url.pathname, pairs.join('&'), headers.join(''), names, payload].join('\n')
  const digest = createHash('sha256').update(canonicalRequest).digest('hex')
  const key = [day, region, service, end].reduce<Buffer>(
    (secret, step) => hmac(secret, step),
    Buffer.from(`AWS4${KEY}`),
  )
  return hmac(key, ['AWS4-HMAC-SHA256', instant, scope.join('/'), digest].join('\n')).toString('hex') === given
}

function answerParts(directory: string, request: IncomingMessage, response: ServerResponse): boolean {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://s3')
  const uploadId = searchParams.get('uploadId')
  if (!uploadId || !['GET', 'DELETE'].includes(request.method ?? '')) return false
  const [, bucket = '', ...key] = pathname.split('/')
  const folder = path.join(directory, bucket, '._S3rver_uploads', uploadId)
  const known = fs.existsSync(folder) && fs.readFileSync(path.join(folder, 'key'), 'utf8') === key.join('/')
  if (!known) refuse(response, 404, 'NoSuchUpload')
  else if (request.method === 'DELETE') {
    fs.rmSync(folder, { recursive: true })
    response.writeHead(204).end()
  } else {
    response.writeHead(200, { 'Content-Type': 'application/xml' })
    response.end(listed(folder, Number(searchParams.get('part-number-marker') ?? 0)))
  }
  return true
}

function listed(folder: string, after: number): string {
  const names = fs.readdirSync(folder).filter((name) => name.endsWith('.md5'))
  const numbers = names.map((name) => Number.parseInt(name, 10)).sort((first, other) => first - other)
  const rest = numbers.filter((number) => number > after)
  const parts = rest.slice(0, PARTS_A_PAGE).map((number) => {
    const etag = fs.readFileSync(path.join(folder, `${number}.md5`), 'utf8')
    const { size } = fs.statSync(path.join(folder, String(number)))
    return `<Part><PartNumber>${number}</PartNumber><ETag>"${etag}"</ETag><Size>${size}</Size></Part>`
  })
  const more = rest.length > PARTS_A_PAGE
  const next = `<IsTruncated>${more}</IsTruncated><NextPartNumberMarker>${rest[PARTS_A_PAGE - 1] ?? 0}</NextPartNumberMarker>`
  return `<?xml version="1.0"?><ListPartsResult>${next}${parts.join('')}</ListPartsResult>`
}

function refuse(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status, { 'Content-Type': 'application/xml', Connection: 'close' })
  response.end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`)
}

const hmac = (key: Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()

function escaped(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
}
