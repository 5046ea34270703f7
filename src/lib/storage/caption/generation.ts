import { and, eq, inArray } from 'drizzle-orm'
import { config } from '#lib/core/config/config.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { enqueueJob, type JobRun } from '#lib/core/jobs/jobs.ts'
import { type Machine, MachineError } from '#lib/core/media/machine.ts'
import { MediaError } from '#lib/core/media/run.ts'
import { NoEncoder } from '#lib/core/media/sound.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { CaptionLang, GenerationFailure, GenerationKind } from '#lib/core/shared/storing.ts'
import { tenant } from '#lib/tenant/table.ts'
import { announce } from '../live.ts'
import { mustChange } from '../permission.ts'
import { AskCaptions, OneFile } from '../schema.ts'
import { generation } from '../table.ts'
import { loadFilm } from '../video/load-video.ts'
import { captionsOf } from './caption.ts'

/** A request that nobody has worked on for so long is dead, and may be made anew. */
const DEAD_MINUTES = 60
/** Six hours of a recording, piece after piece. */
export const TRANSCRIBE_HOURS = 4

/**
 * Asks for captions in a language, made of the sound. While a request waits or is worked on, a second one changes nothing.
 * Refuses with forbidden, plan_inactive, not_found, unprocessable where no service is configured, and conflict when a
 * person has written captions and `replace` was not said.
 */
export async function askCaptions(actor: Actor, input: AskCaptions): Promise<void> {
  mustChange(actor)
  const { fileId, lang, replace } = AskCaptions.parse(input)
  await inTenant(actor, async (tx) => {
    await loadFilm(tx, fileId, true)
    mustMachine()
    const before = (await captionsOf(tx, fileId)).find((one) => one.lang === lang)
    if (before && !before.auto && !replace) throw new Refusal('conflict', { fields: { form: ['caption_exists'] } })
    await ask(tx, { tenantId: actor.tenantId, fileId, kind: 'captions', lang })
  })
}

/**
 * Asks for a name and a description in the school's language, made of the captions. Refuses as askCaptions, and with
 * not_ready while there are no captions.
 */
export async function askTexts(actor: Actor, input: { fileId: string }): Promise<void> {
  mustChange(actor)
  const { fileId } = OneFile.parse(input)
  await inTenant(actor, async (tx) => {
    await loadFilm(tx, fileId, true)
    mustMachine()
    if ((await captionsOf(tx, fileId)).length === 0) {
      throw new Refusal('not_ready', { fields: { form: ['suggest_needs_captions'] } })
    }
    const [school] = await tx.select({ lang: tenant.locale }).from(tenant).where(eq(tenant.id, actor.tenantId))
    await ask(tx, { tenantId: actor.tenantId, fileId, kind: 'texts', lang: school?.lang ?? 'uk' })
  })
}

export interface Asked {
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
export async function workOn(
  asked: Asked,
  run: JobRun,
  work: (machine: Machine, askedAt: Date) => Promise<void>,
): Promise<void> {
  const { ai } = config
  const askedAt = await begin(asked)
  if (!askedAt) return
  try {
    if (!ai) throw new CannotGenerate('unavailable')
    await work(ai, askedAt)
  } catch (error) {
    const { failure, lasting } = verdictOf(error)
    if (lasting || run.isLastAttempt) await note(asked, { state: 'failed', failure })
    if (!lasting) throw error
  }
}

/** Tells how far it is, in percent. */
export const report = (asked: Asked, progress: number): Promise<void> => note(asked, { progress })

/** Inside the transaction that keeps what was made. */
export async function finish(tx: Tx, asked: Asked): Promise<void> {
  await tx.update(generation).set({ state: 'done', progress: 100, touchedAt: new Date() }).where(only(asked))
}

async function ask(tx: Tx, asked: Asked): Promise<void> {
  const { tenantId, fileId, kind, lang } = asked
  const known = { state: generation.state, touchedAt: generation.touchedAt }
  const [before] = await tx.select(known).from(generation).where(only(asked))
  const alive = before && Date.now() - before.touchedAt.getTime() < DEAD_MINUTES * 60_000
  if (alive && (before.state === 'queued' || before.state === 'running')) return
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
  await announce({ fileId, event: 'changed' })
}

function begin(asked: Asked): Promise<Date | null> {
  return inTenant(asked, async (tx) => {
    const [taken] = await tx
      .update(generation)
      .set({ state: 'running', touchedAt: new Date() })
      .where(and(only(asked), inArray(generation.state, ['queued', 'running'])))
      .returning({ askedAt: generation.askedAt })
    if (!taken) return null
    await announce({ fileId: asked.fileId, event: 'changed' })
    return taken.askedAt
  })
}

async function note(asked: Asked, change: Partial<typeof generation.$inferInsert>): Promise<void> {
  await inTenant(asked, async (tx) => {
    await tx
      .update(generation)
      .set({ ...change, touchedAt: new Date() })
      .where(only(asked))
    await announce({ fileId: asked.fileId, event: 'changed' })
  })
}

function only({ fileId, kind, lang }: Asked) {
  return and(eq(generation.fileId, fileId), eq(generation.kind, kind), eq(generation.lang, lang))
}

function verdictOf(error: unknown): { failure: GenerationFailure; lasting: boolean } {
  if (error instanceof CannotGenerate) return { failure: error.failure, lasting: true }
  if (error instanceof MachineError) return { failure: error.failure, lasting: error.lasting }
  if (error instanceof NoEncoder) return { failure: 'no_ffmpeg', lasting: true }
  const passing = !(error instanceof MediaError) || error.fault === 'crashed' || error.fault === 'stopped'
  return passing ? { failure: 'crashed', lasting: false } : { failure: 'no_sound', lasting: true }
}

function mustMachine(): void {
  if (!config.ai) throw new Refusal('unprocessable', { fields: { form: ['machine_absent'] } })
}
