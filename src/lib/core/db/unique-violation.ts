/** Whether a statement failed because a unique constraint has the value already (SQLSTATE 23505). */
export function isUniqueViolation(error: unknown): boolean {
  const { cause = error } = Object(error) as { cause?: unknown }
  return Reflect.get(Object(cause), 'code') === '23505'
}
