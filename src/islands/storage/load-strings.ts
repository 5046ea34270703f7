import type { Locale } from '#lib/core/shared/locale.ts'
import type { Strings } from '#lib/core/shared/text/strings.ts'

type Tree = { [key: string]: string | Tree }

const known = new Map<string, Promise<Strings>>()

/** Words of whole namespaces that few need, fetched when they are: the page brings only its own. */
export async function loadStrings(locale: Locale, ...namespaces: string[]): Promise<Strings> {
  const parts = await Promise.all(namespaces.map((name) => load(locale, name)))
  return Object.assign({}, ...parts)
}

function load(locale: Locale, name: string): Promise<Strings> {
  const key = `${locale}/${name}`
  const asked = known.get(key) ?? read(key, name)
  known.set(key, asked)
  asked.catch(() => known.delete(key))
  return asked
}

async function read(key: string, name: string): Promise<Strings> {
  const answer = await fetch(`/locales/${key}.json`)
  if (!answer.ok) throw new Error(`the words answered ${answer.status}`)
  return flatten(`${name}:`, await answer.json())
}

function flatten(prefix: string, tree: Tree): Strings {
  return Object.fromEntries(
    Object.entries(tree).flatMap(([key, value]) =>
      typeof value === 'string' ? [[prefix + key, value]] : Object.entries(flatten(`${prefix}${key}.`, value)),
    ),
  )
}
