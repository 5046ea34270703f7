import { formatCsvRows, writeCsv } from './csv.ts'
import { writeXlsx } from './xlsx.ts'

export const TABLE_FORMATS = ['csv', 'xlsx'] as const
export type TableFormat = (typeof TABLE_FORMATS)[number]
export type TableRow = (string | number | null)[]

/** A response with a CSV or XLSX file that is written in parts while the rows are read. */
export function writeTableFile(
  format: TableFormat,
  heading: string[],
  pages: AsyncIterable<TableRow[]>,
): ReadableStream<Uint8Array> {
  return format === 'xlsx' ? writeXlsx(flatten(heading, pages)) : toStream(csvChunks(heading, pages))
}

async function* csvChunks(heading: string[], pages: AsyncIterable<TableRow[]>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  yield encoder.encode(writeCsv(heading, []))
  for await (const rows of pages) yield encoder.encode(formatCsvRows(rows))
}

function toStream(chunks: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    pull: async (controller) => {
      const { value, done } = await chunks.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel: async () => {
      await chunks.return(undefined)
    },
  })
}

async function* flatten(heading: string[], pages: AsyncIterable<TableRow[]>): AsyncGenerator<TableRow> {
  yield heading
  for await (const rows of pages) yield* rows
}
