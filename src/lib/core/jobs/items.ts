import { reportServerError } from '../http/error-report.ts'
import { log, withoutQueryValues } from '../log.ts'

export interface ItemJob<Item> {
  /** The job's name, for the log. */
  job: string
  tenantId: string
  items: readonly Item[]
  /** How many items are in progress at the same time, for functions that wait for other servers. 1 by default. */
  concurrency?: number
  /** Identifies an item in the log, without personal data. */
  idOf: (item: Item) => string
  /** Stores a failure where its owner sees it. Then the job does not fail. */
  storeFailure?: (item: Item) => Promise<unknown>
}

/** Thrown after every item was tried; `errors` has one for each that failed and could not be stored. */
export class ItemsFailed extends AggregateError {}

/**
 * Runs a function for every item (member, row, file) of a job and returns the sum of the results. A
 * failure is logged and reported, and the others are continued; afterwards ItemsFailed makes the job fail, so that it is
 * retried. The function has to run in its own transaction for every item: not to be called in a transaction.
 */
export async function forEachItem<Item>(
  { job, tenantId, items, concurrency = 1, idOf, storeFailure }: ItemJob<Item>,
  runForItem: (item: Item) => Promise<unknown>,
): Promise<number> {
  const failures: unknown[] = []
  let sum = 0
  const waiting = items.values()
  const runNextItems = async () => {
    for (const item of waiting) {
      try {
        const result = await runForItem(item)
        sum += typeof result === 'number' ? result : 1
      } catch (error) {
        log.error({ job, tenantId, item: idOf(item), err: withoutQueryValues(error) }, 'A job failed for one item')
        reportServerError(error, `${job} ${tenantId} ${idOf(item)}`)
        const isStored = await storeFailure?.(item).then(
          () => true,
          () => false,
        )
        if (!isStored) failures.push(withoutQueryValues(error))
      }
    }
  }
  await Promise.all(Array.from({ length: concurrency }, runNextItems))
  if (failures.length > 0) throw new ItemsFailed(failures, failureText(failures, items.length))
  return sum
}

function failureText(failures: readonly unknown[], count: number): string {
  const [first] = failures
  return `${failures.length} of ${count} items failed. ${reasonOf(first)}`
}

// The message of a failed statement contains the statement; its cause has the reason.
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? reasonOf(error.cause) : error.message
}
