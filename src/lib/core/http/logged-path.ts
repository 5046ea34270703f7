const SECRET = /^[\w~-]{32,}(\.ics)?$/
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
// Pages whose id is all that is needed to open them.
const SECRET_ID = /^\/(v1\/)?order\//

/** A path for the log, without its segments that are secrets: payment references, tokens, ids of orders of buyers. */
export function loggedPath(path: string): string {
  const hidesIds = SECRET_ID.test(path)
  const shown = path.split('/').map((part) => (SECRET.test(part) && (hidesIds || !UUID.test(part)) ? '…' : part))
  return shown.join('/')
}
