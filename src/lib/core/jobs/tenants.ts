import { pool } from '../db/db.ts'
import { report } from '../http/sentry.ts'
import { log, withoutValues } from '../log.ts'

export interface TenantWork {
  /** The job's name, for the log. */
  job: string
  /**
   * SQL that returns a row where a tenant has work. Row-level security limits it to one tenant at a time; `$1` is `at`.
   * Constant text of ours, never anything from a request.
   */
  due: string
  at: Date
}

/** Thrown after every tenant was tried; `errors` has one for each tenant that failed. */
export class TenantsFailed extends AggregateError {}

/**
 * Runs a periodic job for every tenant that has work, one after another, and returns the sum of what the runs return.
 * Tenants without work cost no statement of their own. A tenant that fails is logged and reported and does not stop the
 * others; afterwards TenantsFailed makes the job fail.
 */
export async function forEachTenant(
  { job, due, at }: TenantWork,
  run: (tenantId: string) => Promise<number>,
): Promise<number> {
  const tenantIds = await tenantsWithWork(due, at)
  const failures: Error[] = []
  let sum = 0
  for (const tenantId of tenantIds) {
    try {
      sum += await run(tenantId)
    } catch (error) {
      failures.push(failureOf(job, tenantId, error))
    }
  }
  if (failures.length === 0) return sum
  const messages = failures.slice(0, 3).map(({ message }) => message)
  throw new TenantsFailed(failures, `${failures.length} of ${tenantIds.length} tenants failed. ${messages.join('; ')}`)
}

async function tenantsWithWork(due: string, at: Date): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>('select id from tenants_with_work($1, $2) id', [due, at])
  return rows.map(({ id }) => id)
}

function failureOf(job: string, tenantId: string, error: unknown): Error {
  const clean = withoutValues(error)
  log.error({ job, tenantId, err: clean }, 'A job failed for one tenant')
  report(error, `${job} ${tenantId}`)
  return new Error(`${tenantId}: ${messageOf(clean)}`, { cause: clean })
}

// A failed statement says what was asked; its cause says why it failed.
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? messageOf(error.cause) : error.message
}
