import type { DraftRecord, DraftStore } from '#islands/stores/draft/draft-record.ts'

/**
 * One author's device: the browser's storage of its tabs. A write takes effect when it is requested, as in a
 * transaction that is committed in the same task; reads and writes copy, like structured cloning.
 */
export interface Device<T> {
  kept: Map<string, DraftRecord<T>>
  aside: DraftRecord<T>[]
  /** The store of a tab; `alive` returns whether the tab is still open. */
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
      /** A closed tab sends no requests and receives no events. */
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
