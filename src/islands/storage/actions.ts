import { api } from '#islands/stores/api.ts'
import { CallError } from '#islands/stores/call-error.ts'
import { showFailure, showNotice, showSuccess, UNDO_NOTICE_MS } from '#islands/stores/notice.ts'
import { navigateTo } from '#islands/stores/page.ts'
import { formatBytes } from '#lib/core/shared/locale.ts'
import { MAX_ZIP_FILES } from '#lib/core/shared/stored-file.ts'
import type { StorageI18n } from './file-text.ts'

export type FileActionOutcome = Awaited<ReturnType<typeof api.storage.move>>['outcomes'][number]

/** Limit of files for one call. */
const MAX_FILES_PER_CALL = 1000

type ActionResult = 'moved' | 'copied' | 'deleted' | 'restored' | 'purged'

/** Actions on files with notices and undo. `reload` refreshes the list. */
export function createFileActions(i18n: StorageI18n, reload: () => Promise<void>) {
  const { t, locale } = i18n

  const undo = (run: () => Promise<unknown>) => ({
    durationMs: UNDO_NOTICE_MS,
    action: {
      label: t('shell:button.undo'),
      run: () => {
        void withErrorNotice(async () => {
          await run()
          await reload()
          showNotice('info', t('storage:list.undone'))
        })
      },
    },
  })

  const notifyOutcomes = (
    outcomes: readonly FileActionOutcome[],
    done: ActionResult,
    back?: () => Promise<unknown>,
  ) => {
    const count = outcomes.filter((outcome) => outcome.done).length
    const key =
      done === 'restored' || done === 'purged' ? (`storage:trash.${done}` as const) : (`storage:list.${done}` as const)
    if (count > 0) showNotice('success', t(key, { count }), back ? undo(back) : {})
    for (const [reason, stayed] of Map.groupBy(
      outcomes.filter((outcome) => outcome.reason && !(done === 'deleted' && outcome.reason === 'in_use')),
      (outcome) => outcome.reason ?? 'not_found',
    )) {
      const reasonText = t(`storage:list.refused.${reason}`)
      showNotice('error', t('storage:list.stayed', { count: stayed.length, reason: reasonText }))
    }
  }

  const move = (ids: readonly string[], folderId: string | null) =>
    withErrorNotice(async () => {
      const outcomes = await inBatches(ids, (fileIds) => api.storage.move({ fileIds, folderId }))
      await reload()
      const gone = outcomes.filter((outcome) => outcome.done && outcome.previousFolderId !== folderId)
      notifyOutcomes(outcomes, 'moved', async () => {
        for (const [from, moved] of Map.groupBy(gone, (outcome) => outcome.previousFolderId)) {
          await inBatches(idsOf(moved), (fileIds) => api.storage.move({ fileIds, folderId: from }))
        }
      })
    })

  const copy = (ids: readonly string[], folderId: string | null) =>
    withErrorNotice(async () => {
      const copies: string[] = []
      const outcomes = await inBatches(ids, async (fileIds) => {
        const copied = await api.storage.copy({ fileIds, folderId })
        copies.push(...copied.copies)
        return copied
      })
      await reload()
      notifyOutcomes(outcomes, 'copied', async () => {
        await inBatches(copies, (fileIds) => api.storage.delete({ fileIds, sure: true }))
        await inBatches(copies, (fileIds) => api.storage.purge({ fileIds }))
      })
    })

  /** Returns the files that are in use and were not deleted. */
  const remove = async (ids: readonly string[], sure: boolean): Promise<FileActionOutcome[]> => {
    let used: FileActionOutcome[] = []
    await withErrorNotice(async () => {
      const outcomes = await inBatches(ids, (fileIds) => api.storage.delete({ fileIds, sure }))
      await reload()
      notifyOutcomes(outcomes, 'deleted', () =>
        inBatches(idsOf(outcomes.filter((outcome) => outcome.done)), (fileIds) => api.storage.restore({ fileIds })),
      )
      used = outcomes.filter((outcome) => outcome.reason === 'in_use')
    })
    return used
  }

  const restore = (ids: readonly string[]) =>
    withErrorNotice(async () => {
      const outcomes = await inBatches(ids, (fileIds) => api.storage.restore({ fileIds }))
      await reload()
      notifyOutcomes(outcomes, 'restored')
    })

  const purge = (ids: readonly string[]) =>
    withErrorNotice(async () => {
      const outcomes = await inBatches(ids, (fileIds) => api.storage.purge({ fileIds }))
      await reload()
      notifyOutcomes(outcomes, 'purged')
    })

  const emptyTrash = () =>
    withErrorNotice(async () => {
      const { purged } = await api.storage.emptyTrash()
      await reload()
      showSuccess(t('storage:trash.purged', { count: purged }))
    })

  const rename = (fileId: string, name: string) =>
    withErrorNotice(async () => {
      const now = await api.storage.rename({ fileId, name })
      await reload()
      const back = () => api.storage.rename({ fileId, name: now.before, keepExtension: false })
      showNotice('success', t('storage:list.renamed', { name: now.name }), undo(back))
    })

  const retry = (fileId: string) =>
    withErrorNotice(async () => {
      await api.storage.retryVideo({ fileId })
      await reload()
      showSuccess(t('storage:list.retried'))
    })

  const download = (ids: readonly string[]) =>
    withErrorNotice(async () => {
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

/** Shows a refusal; other failures are reported by the API client. */
async function withErrorNotice(action: () => Promise<unknown>): Promise<void> {
  try {
    await action()
  } catch (error) {
    if (!(error instanceof CallError)) throw error
    if (!error.unexpected) showFailure(Object.values(error.fields).flat()[0] ?? error.message)
  }
}

async function inBatches(
  ids: readonly string[],
  action: (fileIds: string[]) => Promise<{ outcomes: FileActionOutcome[] }>,
): Promise<FileActionOutcome[]> {
  const outcomes: FileActionOutcome[] = []
  for (let at = 0; at < ids.length; at += MAX_FILES_PER_CALL)
    outcomes.push(...(await action(ids.slice(at, at + MAX_FILES_PER_CALL))).outcomes)
  return outcomes
}

const idsOf = (outcomes: readonly FileActionOutcome[]) => outcomes.map(({ fileId }) => fileId)
