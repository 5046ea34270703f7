import type { Violation } from './source.ts'

export interface ProcedureFacts {
  room: string
  action: string
  method: string | undefined
  path: string | undefined
}

const READS = /^(get|list|count|find)(?=[A-Z]|$)/
const ACTION = /^[a-z]+([A-Z][a-z0-9]*)*$/
// The specification has it as GET, though it writes.
const READS_TOO = new Set(['student/inviteAccept'])

/** The client makes addresses from names alone: get, list, count and find read by GET, all else is POST. */
export function misnamed({ room, action, method, path }: ProcedureFacts): Violation[] {
  const wanted = READS.test(action) || READS_TOO.has(`${room}/${action}`) ? 'GET' : 'POST'
  const says = [
    ACTION.test(action) ? [] : 'is not written in camelCase',
    method === wanted ? [] : `is ${method} and must be ${wanted}`,
    path === `/module/${room}/${action}` ? [] : `stands at ${path}`,
  ].flat()
  return says.map((text) => ({ path: `${room}/${action}`, says: text }))
}
