import { OpenAPIGenerator } from '@orpc/openapi'
import type { AnyRouter } from '@orpc/server'
import { ZodToJsonSchemaConverter } from '@orpc/zod/zod4'
import { REFUSALS } from '../refusal.ts'

const generator = new OpenAPIGenerator({ schemaConverters: [new ZodToJsonSchemaConverter()] })
let document: ReturnType<typeof generateDocument> | undefined

/** The OpenAPI 3.1 document of the API, generated once; every call lists its possible errors. */
export function getApiDocument(router: AnyRouter): ReturnType<typeof generateDocument> {
  document ??= generateDocument(router)
  return document
}

export interface ApiCall {
  method: string
  path: string
  /** The module of the procedure and its name in it. */
  module: string
  name: string
  summary: string
  input: unknown
  output: unknown
}

const METHODS = ['get', 'post'] as const

/** The calls of the document, for the reference page. */
export async function listCalls(router: AnyRouter): Promise<ApiCall[]> {
  const { paths = {} } = await getApiDocument(router)
  return Object.entries(paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item?.[method]
      if (!operation) return []
      const input = operation.parameters ?? operation.requestBody
      const [, , module = '', ...name] = path.split('/')
      const { summary = '', responses } = operation
      const call = { method: method.toUpperCase(), path, module, name: name.join('/'), summary }
      return [{ ...call, input, output: responses?.['200'] }]
    }),
  )
}

async function generateDocument(router: AnyRouter) {
  const generated = await generator.generate(router as never, {
    info: { title: 'Kafedra API', version: '1' },
    servers: [{ url: '/v1' }],
    security: [{ bearer: [] }],
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      schemas: { Refusal: REFUSAL_SCHEMA },
    },
  })
  for (const operations of Object.values(generated.paths ?? {})) {
    for (const operation of Object.values(operations ?? {})) {
      if (typeof operation === 'object' && 'responses' in operation) Object.assign(operation.responses ?? {}, ERRORS)
    }
  }
  return generated
}

const REFUSAL_SCHEMA = {
  type: 'object' as const,
  required: ['code', 'message', 'fields'],
  properties: {
    code: { type: 'string' as const, enum: [...Object.keys(REFUSALS), 'internal'] },
    message: { type: 'string' as const },
    fields: {
      type: 'object' as const,
      additionalProperties: { type: 'array' as const, items: { type: 'string' as const } },
    },
  },
}

const body = { 'application/json': { schema: { $ref: '#/components/schemas/Refusal' } } }
const ERRORS = Object.fromEntries(
  [...new Set(Object.values(REFUSALS))].map((status) => [
    String(status),
    {
      description: Object.entries(REFUSALS)
        .filter(([, other]) => other === status)
        .map(([code]) => code)
        .join(', '),
      content: body,
    },
  ]),
)
