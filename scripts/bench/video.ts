import { readFileSync } from 'node:fs'
import { eq } from 'drizzle-orm'
import { inTenant, pool } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { store } from '#lib/core/files/files.ts'
import { file, fileState, video } from '#lib/storage/table.ts'
import { encodeVideo } from '#lib/storage/video/encode.ts'
import { membership } from '#lib/user/table.ts'

/*
 * Encodes one video by the encoder's job in a separate process: `video.ts <path> <tenant>`. Prints one line of JSON:
 * processor time of ffmpeg and of this process in seconds, and when each state was reached.
 */
const [from = '', tenantId = ''] = process.argv.slice(2)
const fileId = newId()
await store.put(`${tenantId}/${fileId}`, { path: from })
await inTenant({ tenantId }, async (tx) => {
  const [owner] = await tx.select({ id: membership.id }).from(membership).limit(1)
  if (!owner) throw new Error('nobody owns the video')
  await tx.insert(file).values({ tenantId, id: fileId, kind: 'video', name: 'video.mp4', ownerId: owner.id })
  await tx.insert(video).values({ tenantId, fileId })
})

const before = times()
const since = Date.now()
await encodeVideo({ tenantId, fileId }, { signal: new AbortController().signal })
const after = times()
const states = await inTenant({ tenantId }, (tx) =>
  tx
    .select({ event: fileState.event, detail: fileState.detail, at: fileState.at })
    .from(fileState)
    .where(eq(fileState.fileId, fileId)),
)
console.log(
  JSON.stringify({
    children: after.children - before.children,
    own: after.own - before.own,
    states: states.map(({ event, detail, at }) => ({ event, detail, seconds: (at.getTime() - since) / 1000 })),
  }),
)
await pool.end()
process.exit(0)

// proc(5): fields 14 to 17 of stat, in hundredths of a second.
function times(): { own: number; children: number } {
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]?.split(' ').map(Number) ?? []
  const [user = 0, system = 0, childUser = 0, childSystem = 0] = fields.slice(11, 15)
  return { own: (user + system) / 100, children: (childUser + childSystem) / 100 }
}
