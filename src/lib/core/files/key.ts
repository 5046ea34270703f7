const ID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const NAME = '[a-z0-9][a-z0-9_-]*(?:\\.[a-z0-9_-]+)*'
const KEY = new RegExp(`^(${ID})/(${ID})(?:\\.made((?:/${NAME})+))?$`)
const ONE_ID = new RegExp(`^${ID}$`)

/** Whether a text is an id as we make them, and so may stand in a path. */
export const isId = (text: string): boolean => ONE_ID.test(text)

/** Whether a text names an object: `<tenant>/<file>` or `<tenant>/<file>.made/<path>` (see ObjectStore). */
export const isKey = (text: string): boolean => text.length <= 300 && KEY.test(text)

/** The same key, or a TypeError: a path must never be made of what somebody typed. */
export function checkedKey(key: string): string {
  if (!isKey(key)) throw new TypeError('an object is named by two ids and what was made of it')
  return key
}

/** The same id, or a TypeError. */
export function checkedId(id: string): string {
  if (!isId(id)) throw new TypeError('not an id')
  return id
}

/** The school of a key. */
export const tenantOf = (key: string): string => checkedKey(key).slice(0, 36)
