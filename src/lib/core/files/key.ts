import { UUID_PATTERN, UUID_SOURCE } from '../shared/uuid.ts'

const NAME = '[a-z0-9][a-z0-9_-]*(?:\\.[a-z0-9_-]+)*'
const KEY_PATTERN = new RegExp(`^(${UUID_SOURCE})/(${UUID_SOURCE})(?:\\.made((?:/${NAME})+))?$`)

/** Whether a text is a generated id, which is safe in a path. */
export const isPathSafeId = (text: string): boolean => UUID_PATTERN.test(text)

/** Whether a text is an object key: `<tenant>/<file>` or `<tenant>/<file>.made/<path>` (see ObjectStore). */
export const isKey = (text: string): boolean => text.length <= 300 && KEY_PATTERN.test(text)

/** Returns the key, or throws a TypeError: a path must never be made of user input. */
export function requireKey(key: string): string {
  if (!isKey(key)) throw new TypeError('an object is named by two ids and what was made of it')
  return key
}

/** Returns the id, or throws a TypeError. */
export function requireId(id: string): string {
  if (!isPathSafeId(id)) throw new TypeError('not an id')
  return id
}

/** The tenant id in a key. */
export const tenantIdOf = (key: string): string => requireKey(key).slice(0, 36)
