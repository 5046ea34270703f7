import { isDeepStrictEqual } from 'node:util'
import { and, inArray, isNull } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { NewIds } from '#lib/course/transfer/replace-ids.ts'
import { selectQuestions } from '../../bank/bank.ts'
import { insertQuestionRows } from '../../bank/insert-questions.ts'
import { question, questionBank } from '../../question/table.ts'
import { replaceFileIds } from '../replace-file-ids.ts'
import type { BundleQuestion, BundleTests } from './bundle-schema.ts'

/** New ids by those of the import. */
export interface WrittenQuestions {
  questions: ReadonlyMap<string, string>
  banks: ReadonlyMap<string, string>
}

const BATCH = 200
const MAX_BANK_TITLE = 120

/**
 * Writes the questions of imported tests with their banks. Where a school imports its own course, banks whose questions it
 * still has unchanged are used again, as a copy of a course uses them: the same question twice in a bank would be drawn
 * twice.
 */
export async function writeQuestions(
  tx: Tx,
  actor: Actor,
  { questions, questionBanks }: BundleTests,
  ids: Pick<NewIds, 'files' | 'showFiles'>,
): Promise<WrittenQuestions> {
  const unchanged = await findUnchanged(tx, questions)
  const byBank = Map.groupBy(questions, ({ bankId }) => bankId)
  const banks = await writeBanks(tx, actor, questionBanks, (bankId) =>
    (byBank.get(bankId) ?? []).every(({ id }) => unchanged.has(id)),
  )
  const newIds = new Map<string, string>()
  for (const [bankId, list] of byBank) {
    const target = bankId === null ? null : (banks.get(bankId) ?? null)
    const isReused = ({ id }: BundleQuestion) => unchanged.has(id) && target === bankId
    for (const entry of list) newIds.set(entry.id, isReused(entry) ? entry.id : newId())
    const rows = list
      .filter((entry) => !isReused(entry))
      .map(({ id, bankId: _, ...draft }) => ({
        questionId: newIds.get(id) ?? newId(),
        draft: { ...draft, content: replaceFileIds(draft.content, ids) },
      }))
    for (let start = 0; start < rows.length; start += BATCH)
      await insertQuestionRows(tx, actor, target, rows.slice(start, start + BATCH))
  }
  return { questions: newIds, banks }
}

/** The ids of questions that this school has with the same content. */
async function findUnchanged(tx: Tx, questions: readonly BundleQuestion[]): Promise<Set<string>> {
  const byId = new Map(questions.map((entry) => [entry.id, entry]))
  const unchanged = new Set<string>()
  const ids = [...byId.keys()]
  for (let start = 0; start < ids.length; start += BATCH) {
    const rows = await selectQuestions(tx).where(
      and(inArray(question.id, ids.slice(start, start + BATCH)), isNull(question.deletedAt)),
    )
    for (const { id, bankId, content, tags, difficulty, locale } of rows) {
      const { id: _, ...imported } = byId.get(id) ?? { id: '' }
      // Both as JSON has them: what was not set is missing there.
      if (isDeepStrictEqual(asJson({ bankId, content, tags, difficulty, locale }), asJson(imported))) unchanged.add(id)
    }
  }
  return unchanged
}

const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

async function writeBanks(
  tx: Tx,
  { tenantId }: Actor,
  banks: BundleTests['questionBanks'],
  isUnchanged: (bankId: string) => boolean,
): Promise<Map<string, string>> {
  if (banks.length === 0) return new Map()
  const rows = await tx.select({ id: questionBank.id, title: questionBank.title }).from(questionBank)
  const known = new Set(rows.map(({ id }) => id))
  const titles = new Set(rows.map(({ title }) => title))
  const newIds = new Map<string, string>()
  for (const bank of banks) {
    const isReused = known.has(bank.id) && isUnchanged(bank.id)
    const id = isReused ? bank.id : newId()
    newIds.set(bank.id, id)
    if (isReused) continue
    // A title that another transaction has used meanwhile is not free either.
    for (let isInserted = false; !isInserted; ) {
      const title = freeTitle(bank.title, titles)
      titles.add(title)
      const inserted = await tx
        .insert(questionBank)
        .values({ tenantId, id, title })
        .onConflictDoNothing({ target: [questionBank.tenantId, questionBank.title] })
        .returning({ id: questionBank.id })
      isInserted = inserted.length > 0
    }
  }
  return newIds
}

/** The title, with a number appended where another bank has it already. */
function freeTitle(title: string, usedTitles: ReadonlySet<string>): string {
  for (let number = 1; ; number += 1) {
    const suffix = number === 1 ? '' : ` (${number})`
    const candidate = `${title
      .slice(0, MAX_BANK_TITLE - suffix.length)
      .toWellFormed()
      .trim()}${suffix}`
    if (!usedTitles.has(candidate)) return candidate
  }
}
