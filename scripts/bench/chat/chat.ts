import pg from 'pg'
import { contest, type Target } from '../duel.ts'
import { atEnd, temporary } from '../processes.ts'
import { overSocket, startProduct } from '../product.ts'
import { limitRow, type Row, type Section } from '../report.ts'
import { type ChatSchool, makeChatSchool } from './chat-school.ts'
import { chatDelivery } from './delivery.ts'
import { makeSchoolWithConversations } from './many-conversations.ts'

/** Messages of the big and of the small school; BENCH_CHAT_MESSAGES replaces the first number. */
const MANY = Number(process.env.BENCH_CHAT_MESSAGES ?? 1_000_000)
const FEW = 10_000

const searchFor = (query: string) => () => `/chat?view=search&q=${encodeURIComponent(query)}`

/** Pages in the big school compared with the small one. */
const SEARCHES: readonly (readonly [label: string, pathOf: (school: ChatSchool) => string])[] = [
  ['search, word of every message', searchFor('усюди')],
  ['search, rare word', searchFor('рідкісне')],
  ['search, beginning of a word', searchFor('слово1')],
  ['search, common and rare word', searchFor('усюди рідкісне')],
  ['search, word with a typing error', searchFor('рідксіне')],
  ['search, of an author', searchFor('from:me')],
]

/** Opening a long conversation compared with one of 100 messages, and searches in two schools. */
export async function chatPages(): Promise<Section> {
  const { startEmbedded } = await import('#lib/core/db/embedded.ts')
  const embedded = await startEmbedded(temporary('pg'))
  atEnd(embedded.stop)
  const database = overSocket(embedded.socketDir)
  const product = await startProduct(database, { more: { API_RATE: '1000000000' } })
  const client = new pg.Client({ connectionString: database })
  await client.connect()
  const small = await makeChatSchool(client, 'mala', FEW)
  const big = await makeChatSchool(client, 'velyka', MANY)
  const targetOf = (school: Pick<ChatSchool, 'subdomain' | 'ownerToken'>, path: string): Target => ({
    pid: product.pid,
    port: product.port,
    path,
    headers: product.headersFor(school.subdomain, school.ownerToken),
  })
  const compare = async (label: string, ours: Target, baseline: Target, most: number): Promise<Row> => {
    const [first, second] = await contest([ours, baseline], { connections: 8, rounds: 3, seconds: 1 })
    if (!first || !second) throw new Error(`${label} was not measured`)
    const rates = { ours: `${first.rate.toFixed(0)}/s`, baseline: `${second.rate.toFixed(0)}/s` }
    return { ...limitRow(`chat, ${label}`, second.rate / first.rate, '', most, 2), ...rates }
  }
  const open = (id: string) => targetOf(big, `/chat?conversation=${id}`)
  const rows = [await compare('opening a conversation', open(big.bigId), open(big.smallId), 1.3)]
  for (const [label, pathOf] of SEARCHES)
    rows.push(await compare(label, targetOf(big, pathOf(big)), targetOf(small, pathOf(small)), 3))
  const longList = targetOf(await makeSchoolWithConversations(client, 'rozmovy', 2000), '/chat')
  const shortList = targetOf(await makeSchoolWithConversations(client, 'kilka', 20), '/chat')
  // A page of the list has 40 conversations.
  rows.push(await compare('list of 2,000 conversations', longList, shortList, 2.5))
  await product.stop()
  rows.push(...(await chatDelivery(client, database)))
  await client.end()
  return {
    title: 'Chat',
    note: `A conversation of ${MANY} messages against one of 100, searches in a school of ${MANY} messages against one of ${FEW}, the list of 2,000 conversations against one of 20, and the time from the request that sends a message to its arrival at each member.`,
    rows,
  }
}
