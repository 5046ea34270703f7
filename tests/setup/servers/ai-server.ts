import { once } from 'node:events'
import http from 'node:http'
import { portOf } from './port.ts'

/** The response to the next request in place of the usual one: a status with its headers, any text, or none. */
type FixedResponse = { status: number; retryAfter?: string } | { text: string } | 'hang'

interface ReceivedRequest {
  path: string
  key: string | undefined
  /** Fields of the form; name and size for a file. */
  fields: Record<string, string>
  json: { messages: { role: string; content: string }[] } | null
}

export interface AiServer {
  /** The value of AI_BASE_URL. */
  url: string
  requests: ReceivedRequest[]
  /** Sets the responses to the next requests, in order. */
  respondNext(...moods: FixedResponse[]): void
  /** The transcript of every audio file, in seconds of that file. */
  transcript: { start: number; end: number; text: string }[]
  /** The text of chat completions. */
  completion: unknown
  stop(): Promise<void>
}

export const AI_KEY = 'test-key-4711'

/** A simulated language service: transcriptions, chat completions and the list of models. */
export async function startAiServer(): Promise<AiServer> {
  const moods: FixedResponse[] = []
  const state: AiServer = {
    url: '',
    requests: [],
    respondNext: (...more) => void moods.push(...more),
    transcript: [
      { start: 0.2, end: 0.8, text: ' Добрий день.' },
      { start: 0.8, end: 1.6, text: ' Почнімо з <головного> & простого.' },
    ],
    completion: { title: 'Перше заняття', description: 'Про головне й просте.' },
    stop: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  const server = http.createServer((request, response) => {
    void answer(request, response, state, moods.shift())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  state.url = `http://127.0.0.1:${portOf(server)}/v1`
  return state
}

async function answer(
  request: http.IncomingMessage,
  response: http.ServerResponse,
  state: AiServer,
  mood: FixedResponse | undefined,
): Promise<unknown> {
  const body = Buffer.concat(await request.toArray())
  const path = request.url ?? ''
  const key = request.headers.authorization?.replace('Bearer ', '')
  const type = request.headers['content-type'] ?? ''
  const fields = type.startsWith('multipart/') ? await fieldsOf(body, type) : {}
  state.requests.push({ path, key, fields, json: type === 'application/json' ? JSON.parse(String(body)) : null })
  const send = (status: number, text: string, headers = {}) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text)
  if (mood === 'hang') return null
  if (mood && 'text' in mood) return send(200, mood.text)
  if (mood) return send(mood.status, '{"error":{}}', mood.retryAfter ? { 'retry-after': mood.retryAfter } : {})
  if (key !== AI_KEY) return send(401, JSON.stringify({ error: { message: `Incorrect API key provided: ${key}` } }))
  if (path.endsWith('/audio/transcriptions')) return send(200, JSON.stringify({ text: '', segments: state.transcript }))
  if (path.endsWith('/chat/completions')) {
    const content = typeof state.completion === 'string' ? state.completion : JSON.stringify(state.completion)
    return send(200, JSON.stringify({ choices: [{ message: { role: 'assistant', content } }] }))
  }
  if (path.endsWith('/models')) return send(200, '{"object":"list","data":[{"id":"whisper-1"}]}')
  return send(404, '{"error":{}}')
}

async function fieldsOf(body: Buffer<ArrayBuffer>, type: string): Promise<Record<string, string>> {
  const form = await new Response(body, { headers: { 'content-type': type } }).formData()
  return Object.fromEntries([...form].map(([name, value]) => [name, textOf(value)]))
}

const textOf = (value: FormDataEntryValue): string =>
  typeof value === 'string' ? value : `${value.name} ${value.size}`
