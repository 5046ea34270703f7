const MAX_ENTRIES = 5000

/** Values in the memory of this process that may be as old as `lifetimeMs`. */
export class TimedCache<Value> {
  readonly #entries = new Map<string, { value: Value; until: number }>()
  readonly #lifetimeMs: number

  constructor({ lifetimeMs }: { lifetimeMs: number }) {
    this.#lifetimeMs = lifetimeMs
  }

  get(key: string, now: Date): Value | undefined {
    const entry = this.#entries.get(key)
    if (!entry || entry.until > now.getTime()) return entry?.value
    this.#entries.delete(key)
    return undefined
  }

  set(key: string, value: Value, now: Date): void {
    // A Map keeps the order of insertion: the oldest value is removed first.
    const [oldest] = this.#entries.keys()
    if (this.#entries.size >= MAX_ENTRIES && oldest !== undefined) this.#entries.delete(oldest)
    this.#entries.set(key, { value, until: now.getTime() + this.#lifetimeMs })
  }
}
