/**
 * As `Promise.all`, but rejects with the first failure only after all of them have ended. For functions that send
 * several statements each in one transaction: those that follow a failure must not be sent after its rollback.
 */
export async function waitForAll<const Values extends readonly unknown[]>(
  values: Values,
): Promise<{ -readonly [Index in keyof Values]: Awaited<Values[Index]> }> {
  await Promise.allSettled(values)
  return Promise.all(values)
}
