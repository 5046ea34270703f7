import path from 'node:path'
import { config } from '../config/config.ts'
import type { Endpoint } from '../http/server.ts'
import { createDiskStore } from './disk/disk.ts'
import { mediaDoor } from './media-door.ts'
import { MEDIA_DOOR } from './media-ticket.ts'
import { partDoor } from './part-door.ts'
import { PART_DOOR } from './part-ticket.ts'
import { createS3Store } from './s3/s3.ts'
import { rememberedCheck, type SessionCheck } from './session-check.ts'
import type { ObjectStore } from './store.ts'

const directory = path.join(config.dataDir, 'files')

/** Where the bytes of all schools lie: under the data directory, or in the configured S3 bucket. */
export const store: ObjectStore = config.s3 ? createS3Store(config.s3) : createDiskStore(directory)

/**
 * What the HTTP server answers itself: files, and parts of uploads where they come here. `check` says whether a session
 * lasts; it is asked once a minute for each at most.
 */
export function fileEndpoints(check: SessionCheck): ReadonlyMap<string, Endpoint> {
  const remembered = rememberedCheck(check)
  return new Map([
    [MEDIA_DOOR, mediaDoor(store, remembered)],
    ...(config.s3 ? [] : [[PART_DOOR, partDoor(directory, remembered)] as const]),
  ])
}
