import ts from 'typescript'
import { MODULES } from './modules.ts'
import { everyNode, type SourceFile, type Violation } from './source.ts'

/** Namespaces: one per module, and some that belong to no module. */
const QUIZ = ['quizeditor', 'quizprint', 'questions', 'review', 'analysis']
const LEARNING = ['outline', 'editor', 'access', 'study', 'numbers', 'transfer', 'group', 'attempt', ...QUIZ]
const LIVE = ['stage', 'rehearsal']
const SALES = ['checkout', 'order']
export const NAMESPACES = [
  ...MODULES,
  ...LEARNING,
  ...LIVE,
  ...SALES,
  'shell',
  'island',
  'errors',
  'dashboard',
  'mail',
  'landing',
  'player',
  'field',
]

const PLURALS = { uk: ['one', 'few', 'many', 'other'], en: ['one', 'other'] } as const
const PLURAL = /_(zero|one|two|few|many|other)$/
const KEY = /^([a-z]+):([\w-]+(?:\.[\w-]+)*)$/
const PREFIX = /^([a-z]+):([\w.-]*)$/

type Language = keyof typeof PLURALS

export interface Dictionary {
  path: string
  language: Language
  namespace: string
  /** Full keys without plural suffix, `course:list.title`, each with the forms it has ([] when it has no plural). */
  keys: Map<string, string[]>
  /** Full keys as in the file, with their texts. */
  texts: Map<string, string>
}

export interface Usage {
  path: string
  keys: Set<string>
  /** `course:status.` of a template literal: every key with this prefix counts as used. */
  prefixes: Set<string>
  /**
   * All other words in quotes or property names: the possible ends of keys of which only the namespace is a literal,
   * `errors:`.
   */
  words: Set<string>
}

/** `public/locales/uk/course.json` to its keys. */
export function dictionaryOf({ path, source }: SourceFile): Dictionary {
  const [, , language, name = ''] = path.split('/')
  const namespace = name.replace(/\.json$/, '')
  const texts = new Map(flatten(JSON.parse(source), `${namespace}:`))
  const keys = new Map<string, string[]>()
  for (const key of texts.keys()) {
    const form = PLURAL.exec(key)?.[1]
    const bare = key.replace(PLURAL, '')
    // `too_many` is a name; `lessons_many` next to `lessons_other` is a plural.
    const plural = form && (texts.has(`${bare}_other`) || texts.has(`${bare}_one`))
    const name = plural ? bare : key
    keys.set(name, [...(keys.get(name) ?? []), ...(plural ? [form] : [])])
  }
  return { path, language: language === 'en' ? 'en' : 'uk', namespace, keys, texts }
}

/**
 * Differences between the languages: unknown namespaces, keys or variables that one language lacks, missing plural
 * forms.
 */
export function unequal(dictionaries: Dictionary[]): Violation[] {
  return dictionaries.flatMap((dictionary) => {
    const counterpart = dictionaries.find(
      ({ namespace, language }) => namespace === dictionary.namespace && language !== dictionary.language,
    )
    const strange = NAMESPACES.includes(dictionary.namespace)
      ? []
      : [
          `is no namespace: rooms, ${[...LEARNING, ...LIVE].join(', ')}, shell, island, errors, dashboard, mail, landing, player, field`,
        ]
    const missing = [...(counterpart?.keys.keys() ?? [])]
      .filter((key) => !dictionary.keys.has(key))
      .map((key) => `lacks ${key}`)
    const forms = [...dictionary.keys].filter(([, has]) => has.length > 0 && !completes(has, dictionary.language))
    const plurals = forms.map(
      ([key, has]) => `${key} has the forms ${has.join(', ')} and needs ${PLURALS[dictionary.language].join(', ')}`,
    )
    const empty = [...dictionary.texts].filter(([, text]) => text.trim() === '').map(([key]) => `${key} is empty`)
    const message = [
      ...strange,
      ...(counterpart ? missing : ['has no counterpart in the other language']),
      ...plurals,
      ...empty,
      ...variables(dictionary, counterpart),
    ]
    return message.map((text) => ({ path: dictionary.path, message: text }))
  })
}

/** Every key-like literal of a file, the prefixes of templates, and its other words. */
export function usageOf(file: SourceFile): Usage {
  const usage: Usage = { path: file.path, keys: new Set(), prefixes: new Set(), words: new Set() }
  everyNode(file, (node) => {
    if (ts.isStringLiteralLike(node)) (KEY.test(node.text) ? usage.keys : usage.words).add(node.text)
    if (ts.isTemplateHead(node) && PREFIX.test(node.text)) usage.prefixes.add(node.text)
    if (ts.isPropertyAssignment(node) || ts.isShorthandPropertyAssignment(node)) usage.words.add(node.name.getText())
  })
  return usage
}

/** Keys that code uses and no dictionary contains. */
export function unknownKeys(usages: Usage[], dictionaries: Dictionary[]): Violation[] {
  const all = new Set(dictionaries.filter(({ language }) => language === 'uk').flatMap(({ keys }) => [...keys.keys()]))
  const ours = (key: string) => NAMESPACES.includes(key.split(':')[0] ?? '')
  return usages.flatMap(({ path, keys, prefixes }) => {
    const unknown = [...keys].filter((key) => ours(key) && !all.has(key) && !all.has(key.replace(PLURAL, '')))
    const hollow = [...prefixes].filter(
      (prefix) => ours(prefix) && prefix.includes('.') && ![...all].some((key) => key.startsWith(prefix)),
    )
    return [...unknown, ...hollow.map((prefix) => `${prefix}…`)].map((key) => ({
      path,
      message: `speaks ${key}, which no dictionary has`,
    }))
  })
}

/**
 * Keys that no code uses. Keys that are built at run time must be written `` `course:status.${status}` ``, which uses
 * all of `course:status.*`; where only the namespace is a literal, `` `errors:${code}` ``, the rest or a dotted prefix
 * of it must occur in code as a word.
 */
export function unusedKeys(usages: Usage[], dictionaries: Dictionary[]): Violation[] {
  const keys = new Set(usages.flatMap((usage) => [...usage.keys]))
  const words = new Set(usages.flatMap((usage) => [...usage.words]))
  const prefixes = [...new Set(usages.flatMap((usage) => [...usage.prefixes]))]
  const used = (key: string): boolean => {
    if (keys.has(key)) return true
    if (prefixes.some((prefix) => !prefix.endsWith(':') && key.startsWith(prefix))) return true
    const [namespace, tail = ''] = key.split(':')
    return prefixes.includes(`${namespace}:`) && beginningsOf(tail).some((beginning) => words.has(beginning))
  }
  return dictionaries
    .filter(({ language }) => language === 'uk')
    .flatMap((dictionary) =>
      [...dictionary.keys.keys()]
        .filter((key) => !used(key))
        .map((key) => ({ path: dictionary.path, message: `${key} is used nowhere` })),
    )
}

// `a.b.c` to `a.b.c`, `a.b`: a single first word would occur in code by chance.
function beginningsOf(tail: string): string[] {
  const steps = tail.split('.')
  return [tail, ...steps.map((_, index) => steps.slice(0, index).join('.')).filter((prefix) => prefix.includes('.'))]
}

function variables(dictionary: Dictionary, counterpart: Dictionary | undefined): string[] {
  return [...dictionary.texts].flatMap(([key, text]) => {
    const other = counterpart?.texts.get(key)
    return other === undefined || namesIn(text) === namesIn(other)
      ? []
      : [`${key} names other variables than its counterpart`]
  })
}

const namesIn = (text: string): string => [...new Set(text.match(/\{\{\w+\}\}/g) ?? [])].sort().join()
const completes = (has: string[], language: Language): boolean => PLURALS[language].every((form) => has.includes(form))

function flatten(value: unknown, prefix: string): [string, string][] {
  if (typeof value !== 'object' || value === null) return [[prefix.replace(/\.$/, ''), String(value)]]
  return Object.entries(value).flatMap(([key, inner]) =>
    flatten(inner, typeof inner === 'object' ? `${prefix}${key}.` : `${prefix}${key}`),
  )
}

/** Numbers that are never one, so that the noun after them needs no other form. */
const NEVER_ONE = new Set(['errors:too_short', 'errors:too_long'])
const COUNTED = /\{\{(?:count|max|min|used|pass|score|frames)\}\}\s+(?:\p{L}+\s+)?(\p{L}{4,})/u
const MANY = { uk: /(?:ів|ей|ин|ок|ень|ій|ань|ень|их)$/u, en: /[^s]s$/ }

/** A number before a plural noun, in a text with only one form for all numbers. */
export function uncountedNouns(dictionaries: Dictionary[]): Violation[] {
  return dictionaries.flatMap(({ path, language, keys, texts }) =>
    [...texts].flatMap(([key, text]) => {
      const noun = COUNTED.exec(text)?.[1]
      if (!noun || !keys.has(key) || NEVER_ONE.has(key) || !MANY[language].test(noun)) return []
      return [{ path, message: `${key} message «${noun}» of any number: it needs plural forms` }]
    }),
  )
}
