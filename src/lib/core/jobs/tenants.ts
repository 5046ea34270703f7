import { pool } from '../db/db.ts'
import { reportServerError } from '../http/error-report.ts'
import { log, withoutQueryValues } from '../log.ts'

export interface TenantJob {
  /** The job's name, for the log. */
  job: string
  /**
   * SQL that returns a row where a tenant has work. Row-level security limits it to one tenant at a time; `$1` is
   * `now`. A constant, never built from input.
   */
  dueSql: string
  now: Date
}

/** Thrown after every tenant was tried; `errors` has one for each tenant that failed. */
export class TenantJobsFailed extends AggregateError {}

/**
 * Runs a periodic job for every tenant that has work, one after another, and returns the sum of the results. For
 * tenants without work no statement is executed. A failure in one tenant is logged and reported, and the others are
 * continued; afterwards TenantJobsFailed makes the job fail.
 */
export async function forEachTenant(
  { job, dueSql: due, now: at }: TenantJob,
  runForTenant: (tenantId: string) => Promise<number>,
): Promise<number> {
  const tenantIds = await tenantsWithWork(due, at)
  const failures: Error[] = []
  let sum = 0
  for (const tenantId of tenantIds) {
    try {
      sum += await runForTenant(tenantId)
    } catch (error) {
      failures.push(reportTenantError(job, tenantId, error))
    }
  }
  if (failures.length === 0) return sum
  const messages = failures.slice(0, 3).map(({ message }) => message)
  throw new TenantJobsFailed(
    failures,
    `${failures.length} of ${tenantIds.length} tenants failed. ${messages.join('; ')}`,
  )
}

async function tenantsWithWork(due: string, at: Date): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>('select id from tenants_with_work($1, $2) id', [due, at])
  return rows.map(({ id }) => id)
}

function reportTenantError(job: string, tenantId: string, error: unknown): Error {
  const clean = withoutQueryValues(error)
  log.error({ job, tenantId, err: clean }, 'A job failed for one tenant')
  reportServerError(error, `${job} ${tenantId}`)
  return new Error(`${tenantId}: ${failureText(clean)}`, { cause: clean })
}

// The message of a failed statement contains the statement; its cause has the reason.
function failureText(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? failureText(error.cause) : error.message
}
