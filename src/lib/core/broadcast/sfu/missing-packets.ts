import { ahead } from './rtp.ts'

/*
 * Which packets of a source are missing: asked for at once when a gap shows, again every 40 ms, and given up after the
 * eighth time, when only a whole picture helps. Driven by its owner: `note` for every packet, `turn` every 40 ms.
 */

export const TURN = 40
const TRIES = 8
/** A longer gap is no loss but another beginning. */
const LONGEST_GAP = 200

export interface Missing {
  /** Takes the number of a packet that came; gives those that it shows to be missing, in ascending order. */
  note(sequence: number): { fresh: boolean; gone: number[] }
  /** Those to be asked for again, and whether some were given up. */
  turn(): { again: number[]; givenUp: boolean }
  readonly lost: number
  readonly recovered: number
}

export function trackMissing(): Missing {
  const tries = new Map<number, number>()
  let highest: number | null = null
  let lost = 0
  let recovered = 0

  function note(sequence: number) {
    const distance = highest === null ? 1 : ahead(sequence, highest)
    if (distance <= 0) {
      if (tries.delete(sequence)) recovered += 1
      return { fresh: false, gone: [] }
    }
    const gone: number[] = []
    if (highest !== null && distance <= LONGEST_GAP) {
      for (let step = 1; step < distance; step++) gone.push((highest + step) & 0xffff)
    } else if (distance > LONGEST_GAP) {
      tries.clear()
    }
    for (const number of gone) tries.set(number, 1)
    highest = sequence
    return { fresh: true, gone }
  }

  function turn() {
    const again: number[] = []
    let givenUp = false
    for (const [number, tried] of tries) {
      if (tried < TRIES) {
        tries.set(number, tried + 1)
        again.push(number)
      } else {
        tries.delete(number)
        lost += 1
        givenUp = true
      }
    }
    return { again, givenUp }
  }

  return {
    note,
    turn,
    get lost() {
      return lost
    },
    get recovered() {
      return recovered
    },
  }
}
