import { inTenantConcurrently } from '../db/db.ts'

/**
 * Runs reading functions of one tenant in one transaction. Their statements are sent to the database together, so that
 * a page waits for one round trip instead of one for each function.
 * @param scope the actor, or another object with the tenant id
 * @param startLoads calls the functions and returns their promises; they only read
 * @returns their results in the same order; the first refusal refuses all of them
 */
export function loadTogether<Loads extends readonly unknown[] | []>(
  scope: { tenantId: string },
  startLoads: () => Loads,
): Promise<{ -readonly [Index in keyof Loads]: Awaited<Loads[Index]> }> {
  return inTenantConcurrently(scope, () => Promise.all(startLoads()))
}
