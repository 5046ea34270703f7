import { randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { composeRecording } from '#lib/core/broadcast/recording/compose.ts'
import { stopRecording } from '#lib/core/broadcast/recording/recording.ts'
import { recordingDirectory } from '#lib/core/broadcast/recording/recording-requests.ts'
import { config } from '#lib/core/config/config.ts'
import { inTenant } from '#lib/core/db/db.ts'
import { hasLocalSpace } from '#lib/core/files/disk-space.ts'
import { enqueueJob, type JobRun } from '#lib/core/jobs/jobs.ts'
import { log } from '#lib/core/log.ts'
import { findEncoder } from '#lib/core/media/encoder.ts'
import { cutHlsPieces, joinHlsParts } from '#lib/core/media/hls-pieces.ts'
import { MediaError } from '#lib/core/media/media-task.ts'
import { withTemporaryFolder } from '#lib/core/media/temporary-folder.ts'
import { HOUR_MS } from '#lib/core/shared/time.ts'
import {
  discardPreliminaryReplay,
  publishPreliminaryReplay,
  putReplayPiece,
} from '#lib/storage/video/preliminary-replay.ts'
import { findMentorSessionId } from '../mentoring/discard-recording.ts'
import { type RecordedSession, readRecordedSession } from './recorded-session.ts'
import { dueParts, PART_MS, type ReplayPart } from './replay-parts.ts'
import { preliminaryVideoIdOf } from './video-id.ts'

const JOB = 'meeting.preliminaryReplay'
/** Local space for the temporary files of one part. */
const PART_BYTES = 256 * 1024 ** 2
/** Time for which a viewer of the preliminary replay may continue after the recording has replaced it. */
const DISCARD_AFTER_MS = 12 * HOUR_MS

interface SessionJob {
  tenantId: string
  sessionId: string
}

/** Enqueues the first part of the preliminary replay of a session that is recorded from now on. Idempotent. */
export const schedulePreliminaryReplay = ({ tenantId, sessionId }: SessionJob): Promise<void> =>
  enqueueJob(JOB, { tenantId, sessionId }, { singletonKey: sessionId, startAfter: nextRun() })

/** Enqueues the rest of the preliminary replay of a finished session. */
export const completePreliminaryReplay = ({ tenantId, sessionId }: SessionJob): Promise<void> =>
  enqueueJob(JOB, { tenantId, sessionId }, { singletonKey: `${sessionId} end` })

/** Enqueues the deletion of a preliminary replay that was replaced. */
export const scheduleReplayDiscard = ({ tenantId, sessionId }: SessionJob): Promise<void> => {
  const startAfter = new Date(Date.now() + DISCARD_AFTER_MS)
  return enqueueJob('meeting.discardReplay', { tenantId, sessionId }, { singletonKey: sessionId, startAfter })
}

/** Deletes the preliminary replay of a session and what was prepared for it. Idempotent. */
export async function discardReplay({ tenantId, sessionId }: SessionJob): Promise<void> {
  await rm(preparedFolder(sessionId), { recursive: true, force: true })
  await discardPreliminaryReplay({ tenantId, fileId: preliminaryVideoIdOf(sessionId) })
}

/**
 * Composes the due parts of the preliminary replay of a session, a small video in pieces of HLS: each minute while the
 * event runs, and the rest when it has ended, so that the replay is available within a minute of the end. It has the
 * clock of the session, as the recording that replaces it. Only for events whose replay is enabled; not for sessions
 * with mentors, which need the consent of all. Idempotent and resumable.
 */
export async function composePreliminaryReplay(
  { tenantId, sessionId }: SessionJob,
  { signal }: Pick<JobRun, 'signal'>,
): Promise<void> {
  const session = await inTenant({ tenantId }, (tx) => readRecordedSession(tx, sessionId))
  if (!session?.startedAt || !isWanted(session)) return
  if (await findMentorSessionId(tenantId, sessionId)) return
  const { startedAt, finishedAt } = session
  // What the recorder still holds is written first; it may have ended with its process.
  if (finishedAt)
    await stopRecording(sessionId).catch((err: unknown) => log.warn({ err, sessionId }, 'the recording did not stop'))
  const parts = dueParts({ startedAt, finishedAt, now: new Date() })
  for (const part of parts) {
    if (!(await hasLocalSpace(PART_BYTES))) return
    if (!(await isPrepared(sessionId, part))) await preparePart({ tenantId, sessionId, part, session }, signal)
  }
  if (!finishedAt) return schedulePreliminaryReplay({ tenantId, sessionId })
  await publishReplay({ tenantId, sessionId, session, parts })
}

const isWanted = ({ kind, videoFileId, eventSettings: { record, replay } }: RecordedSession): boolean =>
  kind === 'live' && videoFileId === null && record && replay.enabled

const nextRun = (): Date => new Date(Date.now() + PART_MS)

const preparedFolder = (sessionId: string): string => path.join(config.dataDir, 'broadcast', 'replay', sessionId)
const partFile = (sessionId: string, { number }: ReplayPart): string =>
  path.join(preparedFolder(sessionId), `${String(number).padStart(5, '0')}.m3u8`)

const isPrepared = async (sessionId: string, part: ReplayPart): Promise<boolean> =>
  (await readPart(sessionId, part)).length > 0

/** Lines of the playlist of a prepared part; empty while it is missing. */
async function readPart(sessionId: string, part: ReplayPart): Promise<string[]> {
  const text = await readFile(partFile(sessionId, part), 'utf8').catch(() => '')
  return text.split('\n').filter(Boolean)
}

async function preparePart(
  { tenantId, sessionId, part, session }: SessionJob & { part: ReplayPart; session: RecordedSession },
  signal: AbortSignal,
): Promise<void> {
  const encoder = await findEncoder()
  if (!encoder) throw new MediaError('stopped', 'there is no ffmpeg')
  const fileId = preliminaryVideoIdOf(sessionId)
  await withTemporaryFolder(async (folder) => {
    const composed = path.join(folder, 'part.mp4')
    const range = { since: part.since, until: part.until }
    const options = { signal, stageTimesOf: session.stageTimesOf, isDraft: true }
    await composeRecording(recordingDirectory(sessionId), range, composed, options)
    const pieces = path.join(folder, 'pieces')
    await mkdir(pieces)
    // Names differ between attempts, since pieces are cached.
    const name = `${part.number}-${randomUUID().slice(0, 8)}`
    const lines = await cutHlsPieces(encoder, composed, { folder: pieces, name, signal })
    for (const piece of await readdir(pieces))
      if (!piece.endsWith('.m3u8')) await putReplayPiece({ tenantId, fileId }, piece, path.join(pieces, piece))
    await mkdir(preparedFolder(sessionId), { recursive: true, mode: 0o700 })
    const prepared = partFile(sessionId, part)
    await writeFile(`${prepared}.${name}`, `${lines.join('\n')}\n`)
    await rename(`${prepared}.${name}`, prepared)
  })
}

async function publishReplay({
  tenantId,
  sessionId,
  session,
  parts,
}: SessionJob & { session: RecordedSession; parts: readonly ReplayPart[] }): Promise<void> {
  const playlist = joinHlsParts(await Promise.all(parts.map((part) => readPart(sessionId, part))))
  const last = parts.at(-1)
  const seconds = last && session.startedAt ? (last.until.getTime() - session.startedAt.getTime()) / 1000 : 0
  await publishPreliminaryReplay({
    tenantId,
    fileId: preliminaryVideoIdOf(sessionId),
    name: session.title,
    ownerId: session.ownerId,
    playlist,
    seconds,
  })
  await rm(preparedFolder(sessionId), { recursive: true, force: true })
}
