import type { FrozenInterval } from '../schema.ts'

/** The stored fields of a grant that a change can modify. */
export interface GrantState {
  startsAt: Date
  endsAt: Date | null
  frozen: FrozenInterval[]
  moduleIds: string[] | null
  revokedAt: Date | null
  revokedReason: string | null
}

/** The state of a grant that begins, without an end and for all modules. */
export const newGrantState = (now: Date): GrantState => ({
  startsAt: now,
  endsAt: null,
  frozen: [],
  moduleIds: null,
  revokedAt: null,
  revokedReason: null,
})

/** Adds a freeze; adjacent freezes are merged, so that overlapping days are counted once. */
export function freezeGrant(grant: GrantState, from: Date, to: string | null): GrantState {
  const intervals = [...grant.frozen, { from: from.toISOString(), to }].sort(
    (a, b) => Date.parse(a.from) - Date.parse(b.from),
  )
  const frozen: FrozenInterval[] = []
  for (const next of intervals) {
    const last = frozen.at(-1)
    if (!last || (last.to !== null && Date.parse(last.to) < Date.parse(next.from))) frozen.push({ ...next })
    else if (last.to !== null)
      last.to = next.to === null || Date.parse(next.to) > Date.parse(last.to) ? next.to : last.to
  }
  return { ...grant, frozen }
}

/** Ends the current freeze and removes future ones. */
export function unfreezeGrant(grant: GrantState, now: Date): GrantState {
  const frozen = grant.frozen
    .filter(({ from }) => Date.parse(from) < now.getTime())
    .map(({ from, to }) => ({ from, to: to === null || Date.parse(to) > now.getTime() ? now.toISOString() : to }))
  return { ...grant, frozen }
}

/** The fields of a grant that a change can modify. */
export function grantStateOf({
  startsAt,
  endsAt,
  frozen,
  moduleIds,
  revokedAt,
  revokedReason,
}: GrantState): GrantState {
  return { startsAt, endsAt, frozen, moduleIds, revokedAt, revokedReason }
}

/** Whether two grant states are equal; instants are compared by time, also after JSON. */
export function isSameState(state: GrantState, other: GrantState): boolean {
  return serializeState(state) === serializeState(other)
}

function serializeState(state: GrantState): string {
  const { startsAt, endsAt, frozen, moduleIds, revokedAt, revokedReason } = state
  const toIso = (instant: Date | null) => instant && new Date(instant).toISOString()
  const frozenMs = frozen.map(({ from, to }) => [Date.parse(from), to && Date.parse(to)])
  return JSON.stringify([toIso(startsAt), toIso(endsAt), frozenMs, moduleIds, toIso(revokedAt), revokedReason])
}
