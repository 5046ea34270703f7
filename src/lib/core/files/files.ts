import path from 'node:path'
import { config } from '../config/config.ts'
import type { Endpoint } from '../http/server.ts'
import { createDiskStore } from './disk/disk.ts'
import { mediaEndpoint } from './media-endpoint.ts'
import { MEDIA_PATH } from './media-url.ts'
import { partEndpoint } from './part-endpoint.ts'
import { PART_PATH } from './part-url.ts'
import { createS3Store } from './s3/s3.ts'
import { cacheSessionCheck, type SessionCheck } from './session-check.ts'
import type { ObjectStore } from './store.ts'

const directory = path.join(config.dataDir, 'files')

/** The object store of all tenants: under the data directory, or in the configured S3 bucket. */
export const store: ObjectStore = config.s3 ? createS3Store(config.s3) : createDiskStore(directory)

/**
 * Endpoints that the HTTP server answers itself: files, and parts of uploads when they are stored here. `check` returns
 * whether a login session is valid; its results are cached.
 */
export function fileEndpoints(check: SessionCheck): ReadonlyMap<string, Endpoint> {
  const remembered = cacheSessionCheck(check)
  return new Map([
    [MEDIA_PATH, mediaEndpoint(store, remembered)],
    ...(config.s3 ? [] : [[PART_PATH, partEndpoint(directory, remembered)] as const]),
  ])
}
