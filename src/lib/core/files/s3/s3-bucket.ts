import type { S3Client } from '@aws-sdk/client-s3'
import { MINUTE_MS } from '../../shared/time.ts'
import { requireKey } from '../key.ts'

export interface S3Options {
  endpoint: string
  region: string
  bucket: string
  accessKeyId: string
  secretAccessKey: string
}

export interface Bucket {
  client: S3Client
  sdk: typeof import('@aws-sdk/client-s3')
  sign: typeof import('@aws-sdk/s3-request-presigner').getSignedUrl
  /** Bucket and key of a request; validates the key. */
  locate(key: string): { Bucket: string; Key: string }
}

/** Opens a bucket at the first call: the SDK uses memory that installations without S3 do not need. */
export function createBucketOpener(options: S3Options): () => Promise<Bucket> {
  let opened: Promise<Bucket> | undefined
  return () => {
    opened ??= openBucket(options)
    return opened
  }
}

/** Null for a missing object or upload. */
export function missingAsNull<T>(response: Promise<T>): Promise<T | null> {
  return response.catch((error: unknown) => {
    if (error instanceof Error && ['NoSuchKey', 'NotFound', 'NoSuchUpload'].includes(error.name)) return null
    throw error
  })
}

async function openBucket({ endpoint, region, bucket, accessKeyId, secretAccessKey }: S3Options): Promise<Bucket> {
  const [sdk, { getSignedUrl }] = await Promise.all([
    import('@aws-sdk/client-s3'),
    import('@aws-sdk/s3-request-presigner'),
  ])
  const client = new sdk.S3Client({
    endpoint,
    region,
    credentials: { accessKeyId, secretAccessKey },
    // Other services than Amazon's support neither virtual-hosted buckets nor its newer checksums.
    forcePathStyle: true,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // A user waits for the response: one retry.
    requestHandler: { connectionTimeout: 2000, socketTimeout: MINUTE_MS },
    maxAttempts: 2,
  })
  return { client, sdk, sign: getSignedUrl, locate: (key) => ({ Bucket: bucket, Key: requireKey(key) }) }
}
