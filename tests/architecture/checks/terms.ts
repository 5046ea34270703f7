import type { Violation } from './source.ts'
import type { Dictionary } from './strings.ts'

/** English words and phrases that no text may use, each with its replacement. docs/terms.md has the same list. */
export const BANNED: Record<string, string> = {
  'letters?': 'email',
  'films?': 'video',
  '(?:count\\}\\}|the|these|students’|accepted|selected) works': 'submissions',
  'hand-outs?': 'handout',
  'hand(?:ed)? in': 'submit',
  'e-mails?': 'email',
  'showings|(?:a|the|first|next) showing': 'session',
  'auto-?webinars?': 'automated webinar',
  'speakers?': 'presenter',
  'road maps?': 'roadmap',
  'waiting list': 'waitlist',
  'somebody(?: else)?': 'someone',
  everybody: 'everyone',
  whoever: 'the person who',
  'by hand': 'manually',
  'by itself|by themselves': 'automatically',
  'on air': 'live',
  'take(?:n)? back|bring back': 'undo, withdraw or restore',
  'sound alone|slides alone': 'only',
  'presses|press(?:ed)? (?:a|the) button': 'click',
  'came of': 'attendance',
  'another go': 'changes',
  'the line broke': 'connection lost',
  'by the minute': 'by minute',
  'one a line': 'one per line',
  'switch(?:ed)? (?:on|off)': 'turn on, turn off',
  'programmes?|organisations?|cancelled|enrolment|minimise|colour|recognise': 'American spelling',
}

/** Texts where a banned word is right, by key, each with the reason. */
const ALLOWED: Record<string, string> = {
  'errors:email_not_latin': 'letters of the alphabet',
  'errors:password_lower': 'a letter of the alphabet',
  'errors:password_upper': 'a letter of the alphabet',
  'shell:styleguide.rule1': 'a letter of the alphabet',
  'shell:styleguide.rule2': 'a letter of the alphabet',
  'user:field.subdomainHint': 'letters of the alphabet',
  'errors:subdomain_format': 'letters of the alphabet',
}

const RULES = Object.entries(BANNED).map(([words, use]) => ({ pattern: new RegExp(`\\b(?:${words})\\b`, 'i'), use }))

/** Banned words in English texts. */
export function bannedTerms(dictionaries: Dictionary[]): Violation[] {
  return dictionaries
    .filter(({ language }) => language === 'en')
    .flatMap(({ path, texts }) =>
      [...texts]
        .filter(([key]) => !(key in ALLOWED))
        .flatMap(([key, text]) =>
          RULES.flatMap(({ pattern, use }) => {
            const found = pattern.exec(text)?.[0]
            return found ? [{ path, message: `${key} message “${found}”: use “${use}”` }] : []
          }),
        ),
    )
}
