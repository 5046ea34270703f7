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
import { checkLink, type LinkVerdict } from '#lib/core/http/link-check.ts'
import { MediaError } from '#lib/core/media/run.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { usedBytes } from '#lib/storage/upload/quota.ts'
import { requireManagedWorkshop } from '../permission.ts'
import { RehearsalId, WorkshopId } from '../schema.ts'
import { isPublishing, type RehearsalPlan, readRehearsalPlan, requireRehearsal } from './rehearsal.ts'

export interface RehearsalChecks extends Omit<RehearsalPlan, 'links' | 'minutes' | 'records'> {
  links: (LinkVerdict & { name: string; url: string })[]
  recording: 'ready' | 'off' | 'another_server' | 'no_ffmpeg'
  /** Bytes that the storage has left; null is without limit. */
  room: number | null
  /** Bytes that a recording of the planned length takes, about. */
  wanted: number
}

const GIGABYTE = 1024 ** 3
/** Of a film of what was recorded, about: 1.2 Mbit/s. */
const BYTES_PER_MINUTE = 9_000_000
const LINK_CHECK_CONCURRENCY = 6

/**
 * What the server can find out of an event before it begins: whether each link answers, files are there, a recording
 * can be made and has room. Refuses with forbidden, plan_inactive, not_found.
 */
export async function checkRehearsal(actor: Actor, input: { workshopId: string }): Promise<RehearsalChecks> {
  const { workshopId } = WorkshopId.parse(input)
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
  const { allow, because } = await canRecord()
  const disc = limitOf(actor, 'disc', new Date())
  return {
    ...planned,
    links: checked,
    recording: !records ? 'off' : allow ? 'ready' : because === 'no_ffmpeg' ? 'no_ffmpeg' : 'another_server',
    room: disc === null ? null : Math.max(0, disc * GIGABYTE - used),
    wanted: minutes * BYTES_PER_MINUTE,
  }
}

/** Begins to record what is on air in a rehearsal. Refuses as checkRehearsal. */
export async function recordRehearsal(actor: Actor, input: { rehearsalId: string }): Promise<{ recording: boolean }> {
  const { rehearsalId } = RehearsalId.parse(input)
  await inTenant(actor, (tx) => requireRehearsal(tx, actor, rehearsalId))
  return { recording: (await isPublishing(rehearsalId)) && (await startRecording(rehearsalId)).allow }
}

/**
 * Ends the trial recording and makes a film of it as after an event. Gives its length, 0 when nothing was recorded; the
 * film is not kept. Refuses as checkRehearsal.
 */
export async function composeRehearsal(actor: Actor, input: { rehearsalId: string }): Promise<{ seconds: number }> {
  const { rehearsalId } = RehearsalId.parse(input)
  const { startedAt } = await inTenant(actor, (tx) => requireRehearsal(tx, actor, rehearsalId))
  const place = recordingDirectory(rehearsalId)
  if (!existsSync(place)) return { seconds: 0 }
  await stopRecording(rehearsalId)
  const out = path.join(os.tmpdir(), `rehearsal-${randomUUID()}.mp4`)
  try {
    // Of a rehearsal that goes on for long only the last minute is made.
    const until = new Date()
    const since = new Date(Math.max(startedAt?.getTime() ?? 0, until.getTime() - 60_000))
    const film = await composeRecording(place, { since, until }, out, { signal: AbortSignal.timeout(120_000) })
    return { seconds: Math.round(film.seconds) }
  } catch (error) {
    if (error instanceof MediaError) return { seconds: 0 }
    throw error
  } finally {
    await rm(out, { force: true })
    await rm(place, { recursive: true, force: true })
  }
}
