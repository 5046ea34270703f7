import type { DraftRecord, DraftStore } from '#islands/stores/draft/draft-record.ts'

/**
 * One author's device: what browsers keep of its tabs. A write counts from the moment it is asked for, as with a
 * transaction whose commit follows in the same breath; reading and writing copy, as structured clones do.
 */
export interface Device<T> {
  kept: Map<string, DraftRecord<T>>
  aside: DraftRecord<T>[]
  /** The tab's own vault; `alive` says whether it can still act. */
  draftStoreOf(slot: string, alive: () => boolean): DraftStore<T>
}

export function makeDevice<T>({ forgetful = false } = {}): Device<T> {
  const kept = new Map<string, DraftRecord<T>>()
  const aside: DraftRecord<T>[] = []
  const living = new Map<string, () => boolean>()
  const never = new Promise<never>(() => {})
  return {
    kept,
    aside,
    draftStoreOf(slot, alive) {
      living.set(slot, alive)
      /** A tab that is no more asks for nothing and hears nothing. */
      const action = async <R>(run: () => R): Promise<R> => {
        if (!alive()) return never
        const done = run()
        await Promise.resolve()
        return alive() ? done : never
      }
      return {
        listAbandoned: () =>
          action(() =>
            [...kept]
              .filter(([other]) => other !== slot && !living.get(other)?.())
              .map(([other, record]) => ({ slot: other, record: structuredClone(record) }))
              .sort((a, b) => b.record.changedAt - a.record.changedAt),
          ),
        write: (record) => action(() => void (forgetful || kept.set(slot, structuredClone(record)))),
        remove: () => action(() => void kept.delete(slot)),
        removeAbandoned: (slot) =>
          action(() => {
            if (kept.get(slot.slot)?.changedAt === slot.record.changedAt) kept.delete(slot.slot)
          }),
        archive: (record) => action(() => void aside.push(structuredClone(record))),
        close: () => void living.delete(slot),
      }
    },
  }
}
