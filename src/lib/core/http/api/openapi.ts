import { OpenAPIGenerator } from '@orpc/openapi'
import type { AnyRouter } from '@orpc/server'
import { ZodToJsonSchemaConverter } from '@orpc/zod/zod4'
import { REFUSALS } from '../refusal.ts'

const generator = new OpenAPIGenerator({ schemaConverters: [new ZodToJsonSchemaConverter()] })
let document: ReturnType<typeof describe> | undefined

/** OpenAPI 3.1 description of the API, made once; every call lists the errors that it may answer. */
export function apiDocument(router: AnyRouter): ReturnType<typeof describe> {
  document ??= describe(router)
  return document
}

export interface Call {
  method: string
  path: string
  takes: unknown
  gives: unknown
}

const METHODS = ['get', 'post'] as const

/** The calls of the document, for the reference page. */
export async function listCalls(router: AnyRouter): Promise<Call[]> {
  const { paths = {} } = await apiDocument(router)
  return Object.entries(paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item?.[method]
      if (!operation) return []
      const takes = operation.parameters ?? operation.requestBody
      return [{ method: method.toUpperCase(), path, takes, gives: operation.responses?.['200'] }]
    }),
  )
}

async function describe(router: AnyRouter) {
  const made = await generator.generate(router as never, {
    info: { title: 'Kafedra API', version: '1' },
    servers: [{ url: '/v1' }],
    security: [{ bearer: [] }],
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      schemas: { Refusal: REFUSAL_SCHEMA },
    },
  })
  for (const operations of Object.values(made.paths ?? {})) {
    for (const operation of Object.values(operations ?? {})) {
      if (typeof operation === 'object' && 'responses' in operation) Object.assign(operation.responses ?? {}, ERRORS)
    }
  }
  return made
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
