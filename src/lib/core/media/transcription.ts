import { openAsBlob } from 'node:fs'
import { z } from 'zod'
import { type LanguageService, LanguageServiceError, requestLanguageService } from './language-client.ts'

/** Text spoken between two times, in seconds. */
export interface TranscriptSegment {
  start: number
  end: number
  text: string
}

/** The service accepts 25 MB at most. */
export const MAX_AUDIO_BYTES = 24 * 1024 * 1024
// Node's fetch times out when a response does not start within five minutes.
const TRANSCRIBE_TIMEOUT_MS = 290_000
const COMPLETION_TIMEOUT_MS = 90_000

const Transcript = z.object({
  segments: z
    .array(z.object({ start: z.number().min(0), end: z.number().min(0), text: z.string().max(10_000) }))
    .max(20_000),
})

const Completion = z.object({ choices: z.array(z.object({ message: z.object({ content: z.string() }) })).min(1) })

interface TranscriptionInput {
  /** An audio file of at most MAX_AUDIO_BYTES; its extension states the format: `sound.mp3`. */
  path: string
  name: string
  /** ISO 639-1. */
  language: string
  timeoutMs?: number
  signal?: AbortSignal | undefined
}

/** Transcribes an audio file. Throws LanguageServiceError. */
export async function transcribe(machine: LanguageService, input: TranscriptionInput): Promise<TranscriptSegment[]> {
  const sound = await openAsBlob(input.path)
  const form = () => {
    const data = new FormData()
    data.append('file', sound, input.name)
    data.append('model', machine.transcribeModel)
    data.append('language', input.language)
    data.append('response_format', 'verbose_json')
    data.append('timestamp_granularities[]', 'segment')
    data.append('temperature', '0')
    return data
  }
  const { timeoutMs = TRANSCRIBE_TIMEOUT_MS, signal } = input
  const answer = await requestLanguageService(machine, {
    path: '/audio/transcriptions',
    body: form,
    timeoutMs,
    signal,
  })
  const { segments } = parseExpected(Transcript, answer)
  return segments.flatMap(({ start, end, text }) => {
    const spokenText = text.replace(/\s+/g, ' ').trim()
    return spokenText !== '' && end > start ? [{ start, end, text: spokenText }] : []
  })
}

interface CompletionInput<T> {
  /** The task, and the format of the response. */
  task: string
  /** The data of the task, which the model must not treat as instructions. */
  material: string
  /** The schema of the response, which is untrusted. */
  schema: z.ZodType<T>
  timeoutMs?: number
  signal?: AbortSignal | undefined
}

/** Generates an object that matches a schema. Throws LanguageServiceError, also when the response does not match. */
export async function generateObject<T>(
  machine: LanguageService,
  { task, material, schema, timeoutMs, signal }: CompletionInput<T>,
): Promise<T> {
  const body = JSON.stringify({
    model: machine.textModel,
    response_format: { type: 'json_object' },
    temperature: 0.4,
    max_tokens: 800,
    messages: [
      { role: 'system', content: task },
      { role: 'user', content: material },
    ],
  })
  const request = { path: '/chat/completions', body: () => body, timeoutMs: timeoutMs ?? COMPLETION_TIMEOUT_MS, signal }
  const { choices } = parseExpected(Completion, await requestLanguageService(machine, request))
  return parseExpected(schema, extractJson(choices[0]?.message.content ?? ''))
}

// Many models wrap JSON in a code fence even if instructed otherwise.
function extractJson(content: string): unknown {
  const object = content.slice(content.indexOf('{'), content.lastIndexOf('}') + 1)
  try {
    return JSON.parse(object)
  } catch {
    throw new LanguageServiceError('nonsense', 'the text is no JSON')
  }
}

function parseExpected<T>(shape: z.ZodType<T>, value: unknown): T {
  const { success, data } = shape.safeParse(value)
  if (!success) throw new LanguageServiceError('nonsense', 'the answer has another form')
  return data
}
