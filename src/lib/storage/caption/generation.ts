import { and, eq, inArray } from 'drizzle-orm'
import { config } from '#lib/core/config/config.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { formRefusal, Refusal } from '#lib/core/http/refusal.ts'
import { enqueueJob, type JobRun } from '#lib/core/jobs/jobs.ts'
import { EncoderMissingError } from '#lib/core/media/audio-chunks.ts'
import { type LanguageService, LanguageServiceError } from '#lib/core/media/language-client.ts'
import { MediaError } from '#lib/core/media/media-task.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { CaptionLang, GenerationFailure, GenerationKind } from '#lib/core/shared/stored-file.ts'
import { MINUTE_MS } from '#lib/core/shared/time.ts'
import { tenant } from '#lib/tenant/table.ts'
import { publishStorageEvent } from '../live.ts'
import { requireStorageWrite } from '../permission.ts'
import type { RequestCaptions } from '../schema.ts'
import { generation } from '../table.ts'
import { loadVideoFile } from '../video/load-video.ts'
import { loadCaptions } from './caption.ts'

/** A request without progress for this long is stale and may be repeated. */
const STALE_MINUTES = 60
/** Enough for six hours of a recording. */
export const TRANSCRIBE_HOURS = 4

/**
 * Requests captions in a language, generated from the audio. While a request is pending or running, another one changes
 * nothing. Refuses with forbidden, plan_inactive, not_found, unprocessable without a configured service, and conflict
 * when captions were written manually and `replace` is not set.
 */
export async function requestCaptions(actor: Actor, input: RequestCaptions): Promise<void> {
  requireStorageWrite(actor)
  const { fileId, lang, replace } = input
  await inTenant(actor, async (tx) => {
    await loadVideoFile(tx, fileId, true)
    requireAi()
    const before = (await loadCaptions(tx, fileId)).find((caption) => caption.lang === lang)
    if (before && !before.auto && !replace) throw new Refusal('conflict', { fields: { form: ['caption_exists'] } })
    await enqueueGeneration(tx, { tenantId: actor.tenantId, fileId, kind: 'captions', lang })
  })
}

/**
 * Requests a name and a description in the tenant's language, generated from the captions. Refuses as requestCaptions,
 * and with not_ready while there are no captions.
 */
export async function requestTexts(actor: Actor, input: { fileId: string }): Promise<void> {
  requireStorageWrite(actor)
  const { fileId } = input
  await inTenant(actor, async (tx) => {
    await loadVideoFile(tx, fileId, true)
    requireAi()
    if ((await loadCaptions(tx, fileId)).length === 0) {
      throw new Refusal('not_ready', { fields: { form: ['suggest_needs_captions'] } })
    }
    const [school] = await tx.select({ lang: tenant.locale }).from(tenant).where(eq(tenant.id, actor.tenantId))
    await enqueueGeneration(tx, { tenantId: actor.tenantId, fileId, kind: 'texts', lang: school?.lang ?? 'uk' })
  })
}

export interface GenerationRequest {
  tenantId: string
  fileId: string
  kind: GenerationKind
  lang: CaptionLang
}

/** Thrown by a generation that a retry cannot fix. */
export class CannotGenerate extends Error {
  readonly failure: GenerationFailure

  constructor(failure: GenerationFailure) {
    super(failure)
    this.name = 'CannotGenerate'
    this.failure = failure
  }
}

/**
 * Runs a generation and records its end: a permanent failure immediately, any other after the last attempt. Nothing
 * happens for a request that has ended.
 */
export async function runGeneration(
  request: GenerationRequest,
  run: JobRun,
  work: (machine: LanguageService, requestedAt: Date) => Promise<void>,
): Promise<void> {
  const { ai } = config
  const requestedAt = await startGeneration(request)
  if (!requestedAt) return
  try {
    if (!ai) throw new CannotGenerate('unavailable')
    await work(ai, requestedAt)
  } catch (error) {
    const { failure, lasting } = classifyError(error)
    if (lasting || run.isLastAttempt) await updateGeneration(request, { state: 'failed', failure })
    if (!lasting) throw error
  }
}

/** Reports the progress in percent. */
export const reportProgress = (request: GenerationRequest, progress: number): Promise<void> =>
  updateGeneration(request, { progress })

/** Marks a request as done, inside the transaction that stores the result. */
export async function finishGeneration(tx: Tx, request: GenerationRequest): Promise<void> {
  await tx.update(generation).set({ state: 'done', progress: 100, touchedAt: new Date() }).where(isRequest(request))
}

async function enqueueGeneration(tx: Tx, request: GenerationRequest): Promise<void> {
  const { tenantId, fileId, kind, lang } = request
  const columns = { state: generation.state, touchedAt: generation.touchedAt }
  const [before] = await tx.select(columns).from(generation).where(isRequest(request))
  const isAlive = before && Date.now() - before.touchedAt.getTime() < STALE_MINUTES * MINUTE_MS
  if (isAlive && (before.state === 'queued' || before.state === 'running')) return
  const now = new Date()
  const fresh = { state: 'queued', failure: null, progress: 0, requestedAt: now, touchedAt: now } as const
  await tx
    .insert(generation)
    .values({ ...request, ...fresh })
    .onConflictDoUpdate({
      target: [generation.tenantId, generation.fileId, generation.kind, generation.lang],
      set: fresh,
    })
  const data = { tenantId, fileId, lang }
  const singletonKey = `${fileId} ${lang}`
  if (kind === 'texts') await enqueueJob('storage.suggest', data, { singletonKey })
  else await enqueueJob('storage.transcribe', data, { singletonKey, timeoutHours: TRANSCRIBE_HOURS })
  await publishStorageEvent({ fileId, event: 'changed' })
}

function startGeneration(request: GenerationRequest): Promise<Date | null> {
  return inTenant(request, async (tx) => {
    const [started] = await tx
      .update(generation)
      .set({ state: 'running', touchedAt: new Date() })
      .where(and(isRequest(request), inArray(generation.state, ['queued', 'running'])))
      .returning({ requestedAt: generation.requestedAt })
    if (!started) return null
    await publishStorageEvent({ fileId: request.fileId, event: 'changed' })
    return started.requestedAt
  })
}

async function updateGeneration(
  request: GenerationRequest,
  change: Partial<typeof generation.$inferInsert>,
): Promise<void> {
  await inTenant(request, async (tx) => {
    await tx
      .update(generation)
      .set({ ...change, touchedAt: new Date() })
      .where(isRequest(request))
    await publishStorageEvent({ fileId: request.fileId, event: 'changed' })
  })
}

function isRequest({ fileId, kind, lang }: GenerationRequest) {
  return and(eq(generation.fileId, fileId), eq(generation.kind, kind), eq(generation.lang, lang))
}

function classifyError(error: unknown): { failure: GenerationFailure; lasting: boolean } {
  if (error instanceof CannotGenerate) return { failure: error.failure, lasting: true }
  if (error instanceof LanguageServiceError) return { failure: error.failure, lasting: error.isPermanent }
  if (error instanceof EncoderMissingError) return { failure: 'no_ffmpeg', lasting: true }
  const passing = !(error instanceof MediaError) || error.fault === 'crashed' || error.fault === 'stopped'
  return passing ? { failure: 'crashed', lasting: false } : { failure: 'no_sound', lasting: true }
}

function requireAi(): void {
  if (!config.ai) throw formRefusal('machine_absent')
}
