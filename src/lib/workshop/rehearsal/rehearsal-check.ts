import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { limitOf } from '#lib/billing/plans.ts'
import { composeRecording } from '#lib/core/broadcast/recording/compose.ts'
import { canRecord, startRecording, stopRecording } from '#lib/core/broadcast/recording/recording.ts'
import { recordingDirectory } from '#lib/core/broadcast/recording/recording-requests.ts'
import { inTenant } from '#lib/core/db/db.ts'
import { freeLocalBytes } from '#lib/core/files/disk-space.ts'
import { checkLink, type LinkVerdict } from '#lib/core/http/outgoing/link-check.ts'
import { MediaError } from '#lib/core/media/media-task.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { MINUTE_MS } from '#lib/core/shared/time.ts'
import { usedBytes } from '#lib/storage/upload/quota.ts'
import { requireManagedWorkshop } from '../permission.ts'
import { isRehearsalPublishing, type RehearsalPlan, readRehearsalPlan, requireRehearsal } from './rehearsal.ts'

export interface RehearsalChecks extends Omit<RehearsalPlan, 'links' | 'minutes' | 'records'> {
  links: (LinkVerdict & { name: string; url: string })[]
  recording: 'ready' | 'off' | 'another_server' | 'no_ffmpeg'
  /** Free bytes in the storage; null: unlimited. */
  room: number | null
  /** Estimated bytes of a recording of the planned length. */
  requiredBytes: number
  /** Free bytes on the server's disk, and the estimated bytes that recording and composing need. */
  disk: { free: number; requiredBytes: number }
}

const GIGABYTE = 1024 ** 3
/** Estimate for a composed video: 1.2 Mbit/s. */
const BYTES_PER_MINUTE = 9_000_000
/** Segments of a camera at 2 Mbit/s, and the same again for composing them. */
const DISK_BYTES_PER_MINUTE = 30_000_000
const LINK_CHECK_CONCURRENCY = 6

/**
 * Server-side checks of an event before it starts: whether links respond, files exist, and a recording is possible and
 * fits the storage. Refuses with forbidden, plan_inactive, not_found.
 */
export async function checkRehearsal(actor: Actor, input: { workshopId: string }): Promise<RehearsalChecks> {
  const { workshopId } = input
  const { links, minutes, records, used, ...planned } = await inTenant(actor, async (tx) => {
    await requireManagedWorkshop(tx, actor, workshopId)
    const plan = await readRehearsalPlan(tx, workshopId)
    return { ...plan, used: await usedBytes(tx, actor.tenantId) }
  })
  const checked: RehearsalChecks['links'] = []
  for (let at = 0; at < links.length; at += LINK_CHECK_CONCURRENCY) {
    const some = links.slice(at, at + LINK_CHECK_CONCURRENCY)
    checked.push(...(await Promise.all(some.map(async (link) => ({ ...link, ...(await checkLink(link.url)) })))))
  }
  const { allow, reason } = await canRecord()
  const disc = limitOf(actor, 'disc', new Date())
  return {
    ...planned,
    links: checked,
    recording: !records ? 'off' : allow ? 'ready' : reason === 'no_ffmpeg' ? 'no_ffmpeg' : 'another_server',
    room: disc === null ? null : Math.max(0, disc * GIGABYTE - used),
    requiredBytes: minutes * BYTES_PER_MINUTE,
    disk: { free: await freeLocalBytes(), requiredBytes: minutes * DISK_BYTES_PER_MINUTE },
  }
}

/** Starts recording a rehearsal. Refuses like checkRehearsal. */
export async function recordRehearsal(actor: Actor, input: { rehearsalId: string }): Promise<{ recording: boolean }> {
  const { rehearsalId } = input
  await inTenant(actor, (tx) => requireRehearsal(tx, actor, rehearsalId))
  return { recording: (await isRehearsalPublishing(rehearsalId)) && (await startRecording(rehearsalId)).allow }
}

/**
 * Stops the test recording and composes a video as after an event. Returns its length, 0 when nothing was recorded; the
 * video is discarded. Refuses like checkRehearsal.
 */
export async function composeRehearsal(actor: Actor, input: { rehearsalId: string }): Promise<{ seconds: number }> {
  const { rehearsalId } = input
  const { startedAt } = await inTenant(actor, (tx) => requireRehearsal(tx, actor, rehearsalId))
  const place = recordingDirectory(rehearsalId)
  if (!existsSync(place)) return { seconds: 0 }
  await stopRecording(rehearsalId)
  const out = path.join(os.tmpdir(), `rehearsal-${randomUUID()}.mp4`)
  try {
    // Of a long rehearsal, only the last minute is composed.
    const until = new Date()
    const since = new Date(Math.max(startedAt?.getTime() ?? 0, until.getTime() - MINUTE_MS))
    const video = await composeRecording(place, { since, until }, out, { signal: AbortSignal.timeout(120_000) })
    return { seconds: Math.round(video.seconds) }
  } catch (error) {
    if (error instanceof MediaError) return { seconds: 0 }
    throw error
  } finally {
    await rm(out, { force: true })
    await rm(place, { recursive: true, force: true })
  }
}
