import { api } from '#islands/stores/api.ts'
import { CallError } from '#islands/stores/call-error.ts'
import { showFailure, showNotice, showSuccess } from '#islands/stores/notice.ts'
import { navigateTo } from '#islands/stores/page.ts'
import { formatBytes } from '#lib/core/shared/locale.ts'
import { MAX_ZIP_FILES } from '#lib/core/shared/stored-file.ts'
import type { Words } from './file-text.ts'

export type Outcome = Awaited<ReturnType<typeof api.storage.move>>['outcomes'][number]

const UNDO_MS = 10_000
/** What one call takes. */
const MOST = 1000

type Done = 'moved' | 'copied' | 'deleted' | 'restored' | 'purged'

/** What can be done with files, each with its words and a way back. `after` draws the list anew. */
export function actsOf(words: Words, after: () => Promise<void>) {
  const { t, locale } = words

  const undo = (run: () => Promise<unknown>) => ({
    lasts: UNDO_MS,
    action: {
      label: t('shell:button.undo'),
      run: () => {
        void guard(async () => {
          await run()
          await after()
          showNotice('info', t('storage:list.undone'))
        })
      },
    },
  })

  const tell = (outcomes: readonly Outcome[], done: Done, back?: () => Promise<unknown>) => {
    const count = outcomes.filter((one) => one.done).length
    const key =
      done === 'restored' || done === 'purged' ? (`storage:trash.${done}` as const) : (`storage:list.${done}` as const)
    if (count > 0) showNotice('success', t(key, { count }), back ? undo(back) : {})
    for (const [reason, stayed] of Map.groupBy(
      outcomes.filter((one) => one.reason && !(done === 'deleted' && one.reason === 'in_use')),
      (one) => one.reason ?? 'not_found',
    )) {
      const why = t(`storage:list.refused.${reason}`)
      showNotice('error', t('storage:list.stayed', { count: stayed.length, reason: why }))
    }
  }

  const move = (ids: readonly string[], folderId: string | null) =>
    guard(async () => {
      const outcomes = await eachPart(ids, (fileIds) => api.storage.move({ fileIds, folderId }))
      await after()
      const gone = outcomes.filter((one) => one.done && one.previousFolderId !== folderId)
      tell(outcomes, 'moved', async () => {
        for (const [from, moved] of Map.groupBy(gone, (one) => one.previousFolderId)) {
          await eachPart(idsOf(moved), (fileIds) => api.storage.move({ fileIds, folderId: from }))
        }
      })
    })

  const copy = (ids: readonly string[], folderId: string | null) =>
    guard(async () => {
      const copies: string[] = []
      const outcomes = await eachPart(ids, async (fileIds) => {
        const made = await api.storage.copy({ fileIds, folderId })
        copies.push(...made.copies)
        return made
      })
      await after()
      tell(outcomes, 'copied', async () => {
        await eachPart(copies, (fileIds) => api.storage.delete({ fileIds, sure: true }))
        await eachPart(copies, (fileIds) => api.storage.purge({ fileIds }))
      })
    })

  /** Gives what is used and therefore stayed. */
  const remove = async (ids: readonly string[], sure: boolean): Promise<Outcome[]> => {
    let used: Outcome[] = []
    await guard(async () => {
      const outcomes = await eachPart(ids, (fileIds) => api.storage.delete({ fileIds, sure }))
      await after()
      tell(outcomes, 'deleted', () =>
        eachPart(idsOf(outcomes.filter((one) => one.done)), (fileIds) => api.storage.restore({ fileIds })),
      )
      used = outcomes.filter((one) => one.reason === 'in_use')
    })
    return used
  }

  const restore = (ids: readonly string[]) =>
    guard(async () => {
      const outcomes = await eachPart(ids, (fileIds) => api.storage.restore({ fileIds }))
      await after()
      tell(outcomes, 'restored')
    })

  const purge = (ids: readonly string[]) =>
    guard(async () => {
      const outcomes = await eachPart(ids, (fileIds) => api.storage.purge({ fileIds }))
      await after()
      tell(outcomes, 'purged')
    })

  const emptyTrash = () =>
    guard(async () => {
      const { purged } = await api.storage.emptyTrash()
      await after()
      showSuccess(t('storage:trash.purged', { count: purged }))
    })

  const rename = (fileId: string, name: string) =>
    guard(async () => {
      const now = await api.storage.rename({ fileId, name })
      await after()
      const back = () => api.storage.rename({ fileId, name: now.before, keepExtension: false })
      showNotice('success', t('storage:list.renamed', { name: now.name }), undo(back))
    })

  const retry = (fileId: string) =>
    guard(async () => {
      await api.storage.retryVideo({ fileId })
      await after()
      showSuccess(t('storage:list.retried'))
    })

  const download = (ids: readonly string[]) =>
    guard(async () => {
      if (ids.length > MAX_ZIP_FILES) {
        showFailure(t('storage:zip.tooMany', { count: MAX_ZIP_FILES }))
        return
      }
      const { address, size } = await api.storage.offerZip({ fileIds: [...ids] })
      showNotice('info', t('storage:zip.started', { size: formatBytes(size, locale) }))
      navigateTo(address)
    })

  return { move, copy, remove, restore, purge, emptyTrash, rename, retry, download }
}

export type Acts = ReturnType<typeof actsOf>

/** A refusal is told in its own words; whatever else failed has been told already. */
export async function guard(act: () => Promise<unknown>): Promise<void> {
  try {
    await act()
  } catch (error) {
    if (!(error instanceof CallError)) throw error
    if (!error.unexpected) showFailure(Object.values(error.fields).flat()[0] ?? error.message)
  }
}

async function eachPart(
  ids: readonly string[],
  act: (fileIds: string[]) => Promise<{ outcomes: Outcome[] }>,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  for (let at = 0; at < ids.length; at += MOST) outcomes.push(...(await act(ids.slice(at, at + MOST))).outcomes)
  return outcomes
}

const idsOf = (outcomes: readonly Outcome[]) => outcomes.map(({ fileId }) => fileId)
