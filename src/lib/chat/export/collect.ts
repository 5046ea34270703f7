import { Readable } from 'node:stream'
import { sql } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { personNameIn } from '#lib/core/db/person-name.ts'
import { store } from '#lib/core/files/files.ts'
import { portableFileName } from '#lib/core/files/portable-name.ts'
import { type TitleRow, titleColumns, titleJoinsFor, titleOfConversation } from '../title.ts'
import type { ExportedMessage } from './exported-message.ts'
import { htmlEnd, htmlOfMessage, htmlStart } from './html.ts'

/** Counts while the export is written. */
export interface ExportCount {
  messages: number
}

interface ZipEntry {
  name: string
  input: ReadableStream<Uint8Array> | NonNullable<Awaited<ReturnType<typeof store.read>>> | string
}

const PAGE_SIZE = 1000

/**
 * The entries of the ZIP of an export: for each conversation its messages as JSON and as HTML, and their files. Messages are
 * read in pages while the ZIP is written, each format by itself, so that a long conversation needs no memory.
 */
export async function* collectConversations(
  tenantId: string,
  conversationId: string | null,
  counted: ExportCount,
): AsyncGenerator<ZipEntry> {
  const conversations = await inTenant({ tenantId }, (tx) =>
    selectExported(tx, null, conversationId === null ? null : [conversationId]),
  )
  const index: { folder: string; kind: string; title: string; context: string | null }[] = []
  for (const [position, row] of conversations.entries()) {
    const { title, context } = titleOfConversation(row)
    const name = title ?? ''
    const folder = `${String(position + 1).padStart(4, '0')} ${portableFileName(name.slice(0, 80) || row.kind)}`
    index.push({ folder, kind: row.kind, title: name, context })
    const read = () => readMessages(tenantId, row.id)
    yield { name: `${folder}/messages.json`, input: streamOf(jsonOf(read(), counted)) }
    yield { name: `${folder}/messages.html`, input: streamOf(htmlOf(read(), name)) }
    for await (const message of read())
      for (const { id, path } of message.files) {
        const input = await store.read(`${tenantId}/${id}`)
        if (input) yield { name: `${folder}/${path}`, input }
      }
  }
  yield { name: 'conversations.json', input: `${JSON.stringify(index, null, 2)}\n` }
}

/** Conversations with their names, in the order of their creation; `ids` null: all. */
export async function selectExported(
  tx: Tx,
  readerId: string | null,
  ids: readonly string[] | null,
): Promise<({ id: string } & TitleRow)[]> {
  if (ids?.length === 0) return []
  const isListed = ids === null ? sql`true` : sql`c.id = any(${sql.param([...ids])}::uuid[])`
  const { rows } = await tx.execute<{ id: string } & TitleRow & Record<string, unknown>>(sql`
    select c.id, c.kind, ${titleColumns} from chat_conversation c ${titleJoinsFor(readerId)}
    where c.tenant_id = current_tenant() and ${isListed} order by c.created_at, c.id`)
  return rows
}

async function* readMessages(tenantId: string, conversationId: string): AsyncGenerator<ExportedMessage> {
  for (let after = 0; ; ) {
    const page = await inTenant({ tenantId }, (tx) => selectPage(tx, conversationId, after))
    yield* page
    const last = page.at(-1)
    if (!last || page.length < PAGE_SIZE) return
    after = last.seq
  }
}

async function selectPage(tx: Tx, conversationId: string, after: number): Promise<ExportedMessage[]> {
  const { rows } = await tx.execute<ExportedMessage>(sql`
    select w.seq, ${personNameIn('u')} as author, w.created_at as "sentAt", w.edited_at as "editedAt",
      w.deleted_at as "deletedAt", w.reply_to_seq as "replyToSeq", ${personNameIn('fu')} as "forwardedFrom", w.body,
      coalesce((select json_agg(json_build_object('id', s.id, 'name', s.name) order by o.position) from chat_file o
        join file s on s.tenant_id = o.tenant_id and s.id = o.file_id and s.deleted_at is null
        where o.tenant_id = w.tenant_id and o.conversation_id = w.conversation_id and o.seq = w.seq), '[]') as files
    from chat_message w join membership m on m.tenant_id = w.tenant_id and m.id = w.author_id
      join "user" u on u.id = m.user_id
      left join membership fm on fm.tenant_id = w.tenant_id and fm.id = w.forwarded_author_id
      left join "user" fu on fu.id = fm.user_id
    where w.tenant_id = current_tenant() and w.conversation_id = ${conversationId} and w.seq > ${after}
    order by w.seq limit ${PAGE_SIZE}`)
  return rows.map((row) => ({
    ...row,
    sentAt: toIso(row.sentAt),
    editedAt: row.editedAt && toIso(row.editedAt),
    deletedAt: row.deletedAt && toIso(row.deletedAt),
    files: row.files.map(({ id, name }, index) => ({
      id,
      name,
      path: `files/${row.seq}-${index + 1} ${portableFileName(name)}`,
    })),
  }))
}

const toIso = (text: string): string => new Date(text).toISOString()

async function* jsonOf(messages: AsyncIterable<ExportedMessage>, counted: ExportCount): AsyncGenerator<string> {
  let separator = '[\n'
  for await (const { files, ...message } of messages) {
    counted.messages += 1
    yield `${separator}${JSON.stringify({ ...message, files: files.map(({ path }) => path) })}`
    separator = ',\n'
  }
  yield separator === '[\n' ? '[]\n' : '\n]\n'
}

async function* htmlOf(messages: AsyncIterable<ExportedMessage>, title: string): AsyncGenerator<string> {
  yield htmlStart(title)
  for await (const message of messages) yield htmlOfMessage(message)
  yield htmlEnd
}

const streamOf = (texts: AsyncIterable<string>): ReadableStream<Uint8Array> =>
  Readable.toWeb(Readable.from(texts).map((text: string) => Buffer.from(text))) as ReadableStream<Uint8Array>
