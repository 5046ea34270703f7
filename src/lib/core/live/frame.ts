import { randomInt } from 'node:crypto'

/*
 * Lines of an event stream, HTML Standard 9.2: `id` is what a browser sends back as Last-Event-ID, a line that begins
 * with a colon is a comment. JSON has no raw line breaks, so it fits in one `data` line.
 */
const encoder = new TextEncoder()

export const HEARTBEAT = encoder.encode(': \n\n')

/** Opens a stream. Browsers come back after one to four seconds, not all in the same moment. */
export function prelude(): Uint8Array {
  return encoder.encode(`retry: ${randomInt(1000, 4000)}\n\n`)
}

/** `payload` is JSON as the database writes it: without raw line breaks. */
export function eventFrame(id: number, channel: string, payload: string): Uint8Array {
  return encoder.encode(`id: ${id}\ndata: {"channel":${JSON.stringify(channel)},"payload":${payload}}\n\n`)
}

/** Where the stream begins: what comes later can be resumed after this id. */
export const readyFrame = (id: number): Uint8Array => encoder.encode(`id: ${id}\nevent: ready\ndata: {}\n\n`)

/** Too much was missed: the listener has to load its state anew. */
export const resetFrame = (id: number): Uint8Array => encoder.encode(`id: ${id}\nevent: reset\ndata: {}\n\n`)
