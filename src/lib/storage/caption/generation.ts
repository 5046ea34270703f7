import { and, eq, inArray } from 'drizzle-orm'
import { config } from '#lib/core/config/config.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { enqueueJob, type JobRun } from '#lib/core/jobs/jobs.ts'
import { type Machine, MachineError } from '#lib/core/media/machine.ts'
import { MediaError } from '#lib/core/media/run.ts'
import { NoEncoder } from '#lib/core/media/sound.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { CaptionLang, GenerationFailure, GenerationKind } from '#lib/core/shared/stored-file.ts'
import { tenant } from '#lib/tenant/table.ts'
import { publishStorageEvent } from '../live.ts'
import { requireStorageWrite } from '../permission.ts'
import { FileRef, RequestCaptions } from '../schema.ts'
import { generation } from '../table.ts'
import { loadVideoFile } from '../video/load-video.ts'
import { loadCaptions } from './caption.ts'

/** A request that nobody has worked on for so long is dead, and may be made anew. */
const STALE_MINUTES = 60
/** Six hours of a recording, piece after piece. */
export const TRANSCRIBE_HOURS = 4

/**
 * Asks for captions in a language, made of the sound. While a request waits or is worked on, a second one changes nothing.
 * Refuses with forbidden, plan_inactive, not_found, unprocessable where no service is configured, and conflict when a
 * person has written captions and `replace` was not said.
 */
export async function requestCaptions(actor: Actor, input: RequestCaptions): Promise<void> {
  requireStorageWrite(actor)
  const { fileId, lang, replace } = RequestCaptions.parse(input)
  await inTenant(actor, async (tx) => {
    await loadVideoFile(tx, fileId, true)
    requireAi()
    const before = (await loadCaptions(tx, fileId)).find((one) => one.lang === lang)
    if (before && !before.auto && !replace) throw new Refusal('conflict', { fields: { form: ['caption_exists'] } })
    await enqueueGeneration(tx, { tenantId: actor.tenantId, fileId, kind: 'captions', lang })
  })
}

/**
 * Asks for a name and a description in the school's language, made of the captions. Refuses as askCaptions, and with
 * not_ready while there are no captions.
 */
export async function requestTexts(actor: Actor, input: { fileId: string }): Promise<void> {
  requireStorageWrite(actor)
  const { fileId } = FileRef.parse(input)
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

/** Thrown by the work itself where another try cannot help. */
export class CannotGenerate extends Error {
  readonly failure: GenerationFailure

  constructor(failure: GenerationFailure) {
    super(failure)
    this.name = 'CannotGenerate'
    this.failure = failure
  }
}

/**
 * Works on a request, and writes down how it ended: a reason that another try cannot mend at once, any other after the
 * last try. Nothing happens to one that has ended.
 */
export async function runGeneration(
  asked: GenerationRequest,
  run: JobRun,
  work: (machine: Machine, askedAt: Date) => Promise<void>,
): Promise<void> {
  const { ai } = config
  const askedAt = await startGeneration(asked)
  if (!askedAt) return
  try {
    if (!ai) throw new CannotGenerate('unavailable')
    await work(ai, askedAt)
  } catch (error) {
    const { failure, lasting } = classifyError(error)
    if (lasting || run.isLastAttempt) await updateGeneration(asked, { state: 'failed', failure })
    if (!lasting) throw error
  }
}

/** Tells how far it is, in percent. */
export const reportProgress = (asked: GenerationRequest, progress: number): Promise<void> =>
  updateGeneration(asked, { progress })

/** Inside the transaction that keeps what was made. */
export async function finishGeneration(tx: Tx, asked: GenerationRequest): Promise<void> {
  await tx.update(generation).set({ state: 'done', progress: 100, touchedAt: new Date() }).where(isRequest(asked))
}

async function enqueueGeneration(tx: Tx, asked: GenerationRequest): Promise<void> {
  const { tenantId, fileId, kind, lang } = asked
  const columns = { state: generation.state, touchedAt: generation.touchedAt }
  const [before] = await tx.select(columns).from(generation).where(isRequest(asked))
  const isAlive = before && Date.now() - before.touchedAt.getTime() < STALE_MINUTES * 60_000
  if (isAlive && (before.state === 'queued' || before.state === 'running')) return
  const now = new Date()
  const fresh = { state: 'queued', failure: null, progress: 0, askedAt: now, touchedAt: now } as const
  await tx
    .insert(generation)
    .values({ ...asked, ...fresh })
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

function startGeneration(asked: GenerationRequest): Promise<Date | null> {
  return inTenant(asked, async (tx) => {
    const [started] = await tx
      .update(generation)
      .set({ state: 'running', touchedAt: new Date() })
      .where(and(isRequest(asked), inArray(generation.state, ['queued', 'running'])))
      .returning({ askedAt: generation.askedAt })
    if (!started) return null
    await publishStorageEvent({ fileId: asked.fileId, event: 'changed' })
    return started.askedAt
  })
}

async function updateGeneration(
  asked: GenerationRequest,
  change: Partial<typeof generation.$inferInsert>,
): Promise<void> {
  await inTenant(asked, async (tx) => {
    await tx
      .update(generation)
      .set({ ...change, touchedAt: new Date() })
      .where(isRequest(asked))
    await publishStorageEvent({ fileId: asked.fileId, event: 'changed' })
  })
}

function isRequest({ fileId, kind, lang }: GenerationRequest) {
  return and(eq(generation.fileId, fileId), eq(generation.kind, kind), eq(generation.lang, lang))
}

function classifyError(error: unknown): { failure: GenerationFailure; lasting: boolean } {
  if (error instanceof CannotGenerate) return { failure: error.failure, lasting: true }
  if (error instanceof MachineError) return { failure: error.failure, lasting: error.lasting }
  if (error instanceof NoEncoder) return { failure: 'no_ffmpeg', lasting: true }
  const passing = !(error instanceof MediaError) || error.fault === 'crashed' || error.fault === 'stopped'
  return passing ? { failure: 'crashed', lasting: false } : { failure: 'no_sound', lasting: true }
}

function requireAi(): void {
  if (!config.ai) throw new Refusal('unprocessable', { fields: { form: ['machine_absent'] } })
}
