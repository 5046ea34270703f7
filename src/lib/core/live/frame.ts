import { randomInt } from 'node:crypto'

/** What is written: by itself, and as a chunk of HTTP/1.1 (RFC 9112, 7.1) for writing past node:http. */
export interface Frame {
  plain: Buffer
  chunk: Buffer
}

/*
 * Lines of an event stream, HTML Standard 9.2: `id` is what a browser sends back as Last-Event-ID, a line that begins
 * with a colon is a comment. JSON has no raw line breaks, so it fits in one `data` line.
 */
export const HEARTBEAT = frame(': \n\n')

/** Opens a stream. Browsers come back after one to four seconds, not all in the same moment. */
export const prelude = (): Buffer => Buffer.from(`retry: ${randomInt(1000, 4000)}\n\n`)

/** `payload` is JSON as the database writes it: without raw line breaks. */
export function eventFrame(id: number, channel: string, payload: string): Frame {
  return frame(`id: ${id}\ndata: {"channel":${JSON.stringify(channel)},"payload":${payload}}\n\n`)
}

/** Where the stream begins: what comes later can be resumed after this id. */
export const readyFrame = (id: number): Frame => frame(`id: ${id}\nevent: ready\ndata: {}\n\n`)

/** Too much was missed: the listener has to load its state anew. */
export const resetFrame = (id: number): Frame => frame(`id: ${id}\nevent: reset\ndata: {}\n\n`)

function frame(text: string): Frame {
  const plain = Buffer.from(text)
  return { plain, chunk: Buffer.from(`${plain.length.toString(16)}\r\n${text}\r\n`) }
}
