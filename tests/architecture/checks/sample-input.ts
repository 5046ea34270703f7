import { z } from 'zod'

type Json = z.core.JSONSchema.BaseSchema

/** The JSON schema of a procedure's input. */
export const shapeOf = (schema: z.ZodType): Json => z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })

/** Names of the direct fields that contain an id of a row. */
export function idFields(shape: Json): string[] {
  return Object.entries(shape.properties ?? {}).flatMap(([name, field]) => (isId(field) ? [name] : []))
}

/** A small valid value of a schema: required fields and ids, each id from `idOf` by the name of its field. */
export function sampleOf(shape: Json, idOf: (field: string) => string, root: Json = shape, field = ''): unknown {
  const target = shape.$ref ? root.$defs?.[shape.$ref.split('/').at(-1) ?? ''] : undefined
  if (target) return sampleOf(schemaOf(target), idOf, root, field)
  if (shape.const !== undefined) return shape.const
  if (shape.enum) return shape.enum[0]
  const [choice] = shape.anyOf ?? shape.oneOf ?? []
  if (choice !== undefined) return sampleOf(schemaOf(choice), idOf, root, field)
  switch (shape.type) {
    case 'string':
      return textOf(shape, idOf, field)
    case 'number':
    case 'integer':
      return shape.minimum ?? 1
    case 'boolean':
      return false
    case 'null':
      return null
    case 'array':
      // At least one id, because an empty list would find nothing in any tenant.
      return Array.from({ length: Math.max(shape.minItems ?? 0, isId(shape) ? 1 : 0) }, () =>
        sampleOf(itemOf(shape), idOf, root, field),
      )
    case 'object':
      return Object.fromEntries(
        Object.entries(shape.properties ?? {})
          .filter(([name, inner]) => shape.required?.includes(name) || isId(inner))
          .map(([name, inner]) => [name, sampleOf(schemaOf(inner), idOf, root, name)]),
      )
    default:
      return undefined
  }
}

function textOf(shape: Json, idOf: (field: string) => string, field: string): string {
  if (shape.format === 'uuid') return idOf(field)
  if (shape.format === 'email' || field === 'email') return 'somebody@elsewhere.test'
  if (shape.format === 'date-time') return '2030-01-01T10:00:00.000Z'
  return 'a'.repeat(Math.max(1, shape.minLength ?? 0))
}

function isId(field: unknown): boolean {
  const shape = schemaOf(field)
  if (shape.format === 'uuid') return true
  if (shape.type === 'array') return isId(itemOf(shape))
  return [...(shape.anyOf ?? []), ...(shape.oneOf ?? [])].some(isId)
}

const itemOf = (shape: Json): Json => schemaOf(Array.isArray(shape.items) ? shape.items[0] : shape.items)

const schemaOf = (value: unknown): Json => (isSchema(value) ? value : {})

function isSchema(value: unknown): value is Json {
  return typeof value === 'object' && value !== null
}
