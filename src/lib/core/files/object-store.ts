import { createHash, createHmac } from 'node:crypto'

/** A bucket of an S3-compatible store, addressed by path. */
export interface Bucket {
  endpoint: string
  bucket: string
  region: string
  accessKeyId: string
  secretAccessKey: string
}

const PATIENCE = 30_000

/** Puts bytes under a name. When it returns the store has them; throws when it did not take them. */
export async function putObject(bucket: Bucket, name: string, bytes: Uint8Array): Promise<void> {
  await send(bucket, 'PUT', name, bytes)
}

/** The bytes under a name, or null when there are none. */
export async function getObject(bucket: Bucket, name: string): Promise<Buffer<ArrayBuffer> | null> {
  const answer = await send(bucket, 'GET', name)
  return answer && Buffer.from(await answer.arrayBuffer())
}

/** Forgets what is under a name; nothing happens when there is nothing. */
export async function deleteObject(bucket: Bucket, name: string): Promise<void> {
  await send(bucket, 'DELETE', name)
}

interface Asking {
  method: string
  url: URL
  headers?: Record<string, string>
  body?: Uint8Array
  at?: Date
}

/** The headers that sign a request: AWS Signature Version 4 (docs.aws.amazon.com, "sig-v4-header-based-auth"). */
export function sign(bucket: Omit<Bucket, 'endpoint' | 'bucket'>, asking: Asking): Record<string, string> {
  const { method, url, headers = {}, body = new Uint8Array(), at = new Date() } = asking
  const stamp = at.toISOString().replace(/[-:]|\.\d{3}/g, '')
  const digest = sha256(body)
  const all: Record<string, string> = {
    ...headers,
    host: url.host,
    'x-amz-content-sha256': digest,
    'x-amz-date': stamp,
  }
  const names = Object.keys(all).sort()
  const lines = names.map((name) => `${name}:${all[name]}`)
  const canonical = [method, url.pathname, '', ...lines, '', names.join(';'), digest].join('\n')
  const parts = [stamp.slice(0, 8), bucket.region, 's3', 'aws4_request']
  const scope = parts.join('/')
  const key = parts.reduce<string | Buffer>((secret, part) => hmac(secret, part), `AWS4${bucket.secretAccessKey}`)
  const signature = hmac(key, ['AWS4-HMAC-SHA256', stamp, scope, sha256(canonical)].join('\n')).toString('hex')
  const credential = `Credential=${bucket.accessKeyId}/${scope}`
  const { host: _, ...sent } = all
  return {
    ...sent,
    authorization: `AWS4-HMAC-SHA256 ${credential},SignedHeaders=${names.join(';')},Signature=${signature}`,
  }
}

async function send(bucket: Bucket, method: string, name: string, bytes?: Uint8Array): Promise<Response | null> {
  const url = new URL(`${bucket.endpoint.replace(/\/$/, '')}/${bucket.bucket}/${name}`)
  const headers = sign(bucket, { method, url, ...(bytes && { body: bytes }) })
  const body = bytes && new Blob([new Uint8Array(bytes)])
  const answer = await fetch(url, { method, headers, body: body ?? null, signal: AbortSignal.timeout(PATIENCE) })
  if (answer.status === 404 && method !== 'PUT') return null
  if (!answer.ok) throw new Error(`the object store answers ${answer.status} to ${method}: ${await answer.text()}`)
  return answer
}

function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}
