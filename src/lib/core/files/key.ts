import { UUID_PATTERN, UUID_SOURCE } from '../shared/uuid.ts'

const NAME = '[a-z0-9][a-z0-9_-]*(?:\\.[a-z0-9_-]+)*'
const KEY_PATTERN = new RegExp(`^(${UUID_SOURCE})/(${UUID_SOURCE})(?:\\.made((?:/${NAME})+))?$`)

/** Whether a text is an id as we make them, and so may stand in a path. */
export const isId = (text: string): boolean => UUID_PATTERN.test(text)

/** Whether a text names an object: `<tenant>/<file>` or `<tenant>/<file>.made/<path>` (see ObjectStore). */
export const isKey = (text: string): boolean => text.length <= 300 && KEY_PATTERN.test(text)

/** The same key, or a TypeError: a path must never be made of what somebody typed. */
export function requireKey(key: string): string {
  if (!isKey(key)) throw new TypeError('an object is named by two ids and what was made of it')
  return key
}

/** The same id, or a TypeError. */
export function requireId(id: string): string {
  if (!isId(id)) throw new TypeError('not an id')
  return id
}

/** The school of a key. */
export const tenantIdOf = (key: string): string => requireKey(key).slice(0, 36)
