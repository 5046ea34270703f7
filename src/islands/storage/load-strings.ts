import type { Locale } from '#lib/core/shared/locale.ts'
import type { Strings } from '#lib/core/shared/text/strings.ts'

type StringTree = { [key: string]: string | StringTree }

const cache = new Map<string, Promise<Strings>>()

/** Loads the strings of namespaces on demand: the page contains only its own. */
export async function loadStrings(locale: Locale, ...namespaces: string[]): Promise<Strings> {
  const parts = await Promise.all(namespaces.map((name) => loadNamespace(locale, name)))
  return Object.assign({}, ...parts)
}

function loadNamespace(locale: Locale, name: string): Promise<Strings> {
  const key = `${locale}/${name}`
  const request = cache.get(key) ?? fetchNamespace(key, name)
  cache.set(key, request)
  request.catch(() => cache.delete(key))
  return request
}

async function fetchNamespace(key: string, name: string): Promise<Strings> {
  const answer = await fetch(`/locales/${key}.json`)
  if (!answer.ok) throw new Error(`the words answered ${answer.status}`)
  return flattenStrings(`${name}:`, await answer.json())
}

function flattenStrings(prefix: string, tree: StringTree): Strings {
  return Object.fromEntries(
    Object.entries(tree).flatMap(([key, value]) =>
      typeof value === 'string' ? [[prefix + key, value]] : Object.entries(flattenStrings(`${prefix}${key}.`, value)),
    ),
  )
}
