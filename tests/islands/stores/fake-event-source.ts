/** An EventSource controlled by a test. */
export class FakeEventSource extends EventTarget {
  static readonly OPEN = 1
  static readonly CLOSED = 2
  /** All instances since the test emptied the list, in order. */
  static all: FakeEventSource[] = []
  readonly url: URL
  readyState = 0
  onopen: (() => void) | null = null
  onmessage: ((event: MessageEvent) => void) | null = null
  onerror: (() => void) | null = null

  constructor(url: URL) {
    super()
    this.url = url
    FakeEventSource.all.push(this)
  }

  /** The newest instance; throws when there is none. */
  static last(): FakeEventSource {
    const source = FakeEventSource.all.at(-1)
    if (!source) throw new Error('no stream was opened')
    return source
  }

  simulateOpen(): void {
    this.readyState = FakeEventSource.OPEN
    this.onopen?.()
  }

  simulateMessage(data: object, lastEventId: string): void {
    this.onmessage?.(new MessageEvent('message', { data: JSON.stringify(data), lastEventId }))
  }

  /** Interrupts the stream; the browser reconnects by itself unless the server refused. */
  simulateError(refused = false): void {
    this.readyState = refused ? FakeEventSource.CLOSED : 0
    this.onerror?.()
  }

  close(): void {
    this.readyState = FakeEventSource.CLOSED
  }
}
