import type { S3Client } from '@aws-sdk/client-s3'
import { checkedKey } from '../key.ts'

export interface S3Place {
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
  /** How a key is named in a call; checks it. */
  at(key: string): { Bucket: string; Key: string }
}

/** The way into a bucket, opened at the first call: the SDK takes memory that an installation without S3 need not have. */
export function bucketOf(place: S3Place): () => Promise<Bucket> {
  let opened: Promise<Bucket> | undefined
  return () => {
    opened ??= open(place)
    return opened
  }
}

/** What S3 does not have, as null. */
export function missingIsNull<T>(answer: Promise<T>): Promise<T | null> {
  return answer.catch((error: unknown) => {
    if (error instanceof Error && ['NoSuchKey', 'NotFound', 'NoSuchUpload'].includes(error.name)) return null
    throw error
  })
}

async function open({ endpoint, region, bucket, accessKeyId, secretAccessKey }: S3Place): Promise<Bucket> {
  const [sdk, { getSignedUrl }] = await Promise.all([
    import('@aws-sdk/client-s3'),
    import('@aws-sdk/s3-request-presigner'),
  ])
  const client = new sdk.S3Client({
    endpoint,
    region,
    credentials: { accessKeyId, secretAccessKey },
    // Services besides Amazon's need neither know buckets as hosts nor its newer checksums.
    forcePathStyle: true,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // A visitor waits for it: what does not answer is tried once more, not for minutes.
    requestHandler: { connectionTimeout: 2000, socketTimeout: 60_000 },
    maxAttempts: 2,
  })
  return { client, sdk, sign: getSignedUrl, at: (key) => ({ Bucket: bucket, Key: checkedKey(key) }) }
}
