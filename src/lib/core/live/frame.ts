import { randomInt } from 'node:crypto'

/** The bytes of one or more events: plain, and as a chunk of HTTP/1.1 (RFC 9112, 7.1) for writing to the socket directly. */
export interface StreamFrame {
  plain: Buffer
  chunk: Buffer
}

/*
 * Lines of an event stream, HTML Standard 9.2: `id` is what a browser sends back as Last-Event-ID, a line that begins
 * with a colon is a comment. JSON has no raw line breaks, so it fits in one `data` line.
 */
export const HEARTBEAT = streamFrame(': \n\n')

/** The beginning of a stream. Browsers reconnect after a random time of one to four seconds. */
export const streamPrelude = (): Buffer => Buffer.from(`retry: ${randomInt(1000, 4000)}\n\n`)

/** `payload` is JSON as the database writes it: without raw line breaks. */
export function eventText(id: number, channel: string, payload: string): string {
  return `id: ${id}\ndata: {"channel":${JSON.stringify(channel)},"payload":${payload}}\n\n`
}

/** The first event of a stream: later events can be resumed after this id. */
export const readyFrame = (id: number): StreamFrame => streamFrame(`id: ${id}\nevent: ready\ndata: {}\n\n`)

/** Too many events were missed: the client has to load its state again. */
export const resetFrame = (id: number): StreamFrame => streamFrame(`id: ${id}\nevent: reset\ndata: {}\n\n`)

/** The bytes of complete events. */
export function streamFrame(text: string): StreamFrame {
  const plain = Buffer.from(text)
  return { plain, chunk: Buffer.from(`${plain.length.toString(16)}\r\n${text}\r\n`) }
}
