import { commentsOf, type SourceFile, type Violation } from './source.ts'
import type { Dictionary } from './strings.ts'

/**
 * Expressions that are not allowed in interface texts, each with the term to use. docs/terms.md explains the choice.
 */
type BannedList = Record<string, string>

const ENGLISH: BannedList = {
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
  'by (?:it|your)self|by themselves': 'automatically, on your own',
  ', (?:[\\w’-]+ ){0,2}[\\w’-]+, (?:and|or)': 'no comma before the last item of a list',
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
  meanwhile: 'in the meantime',
  'log-?in links?': 'sign-in link',
  'takes? no new': 'doesn’t accept new',
  'there is no such': 'this … doesn’t exist',
  'lists? of students': 'student list',
  '(?:profile|email|note|action|fields) of (?:a |the )?(?:students?|team|school)': 'student profile, team note',
  nobody: 'no one',
  'two-factor': 'two-step',
  'system administrator': 'site administrator',
  '(?:is|are|was|were|do|does|did|has|have|could) not|cannot': 'a contraction, such as isn’t or can’t',
  ', (?:seconds|minutes|hours|days|months)$': 'the unit in parentheses: (minutes)',
  'programmes?|organisations?|cancelled|enrolment|minimise|colour|recognise|analysed?|analysing': 'American spelling',
}

/** Prefixes of words: every inflected form is banned. */
const UKRAINIAN_STEMS: BannedList = {
  сховищ: 'файли, місце для файлів',
  фільм: 'відео, запис',
  учениц: 'студент',
  зарах: 'прийняти, відхилити',
  наставни: 'менторство, ментор',
  діалог: 'розмова',
  кабінет: 'акаунт',
  рубрик: 'критерії',
  картинк: 'зображення',
  скача: 'завантажити',
  'обра(?:ти|но|ли|н)|обер[иеіу]|обира': 'вибрати',
  'архівува|при(?:бра|бер)\\p{L}*(?: \\p{L}+)? в архів': 'перенести в архів',
  'лист[а-яі]* очікування': 'черга',
  'член[а-яі]* команди': 'учасник команди',
  співпада: 'збігатися',
  'відміч|відміт': 'позначка, позначити',
  слідуюч: 'такий',
  протерм: 'прострочений',
  статус: 'стан',
  kafedra: 'Кафедра',
}

/** Whole words and phrases. */
const UKRAINIAN_WORDS: BannedList = {
  'учень|учн(?:я|і|ю|ем|ів|ям|ями|ях)': 'студент',
  'показ(?:и|ів|у|ом|ам|ами|ах)?': 'сеанс',
  'повернен(?:о|ий|а|у|і)': 'повернуто',
  'поступ(?:у|ом|ові|и)?': 'прогрес',
  'питання|питань': 'запитання',
  '(?<!\\{\\{)e-?mail': 'електронна пошта, лист',
  'завантажте (?:новий|перший|його ще раз|файл ще раз)': 'додайте',
  'найбільше одразу': 'найбільше глядачів',
  'термін(?:у|ом)? дії': 'строк дії',
  'тег(?:и|у|ом|ів|ам|ами|ах)?': 'мітка',
  'забрати назад': 'відкликати',
  'по хвилинах': 'за хвилинами',
  'на протязі': 'протягом',
  'наступним чином': 'так',
  'прийма(?:ти|є|ють) участь|прийня(?:ти|ли) участь': 'брати участь',
  'являється|являються': 'є',
  'відмінити|відмінено': 'скасувати',
  'здач(?:а|і|у|ею)': 'надсилання',
  'вірн(?:о|ий|а|і|у)': 'правильний',
  'по замовчуванню|в залежності|на рахунок': 'за замовчуванням, залежно, щодо',
}

/** Forms, spelling and punctuation. */
const UKRAINIAN_FORMS: BannedList = {
  '\\p{L}\\((?:-?(?:в?л|н)?а|ся|ка)\\)': 'a form for any gender',
  '(?<!\\p{L})(?:студент|куратор|ведучий|модератор|спікер|глядач|автор)(?: [\\p{L}’]+){0,3} (?:[\\p{L}’]+(?:[аия]в|[аия]вся|йшов|ник)|відповів)(?!\\p{L})':
    'a form for any gender',
  '^\\{\\{name\\}\\}, (?!\\{\\{)': 'a sentence without the name in the vocative',
  '(?:вітаємо|дякуємо|вибачте|добрий день|привіт)[,!]? \\{\\{name': 'a sentence without the name in the vocative',
  "\\p{L}['ʼ`]\\p{L}": '’ (U+2019)',
  '["“”„]': '«»',
  ' [–-] ': 'a dash (—) with spaces',
  '\\.\\.\\.': '…',
  '[ыэъё]': 'a Ukrainian letter',
  '(?:\\d|\\}\\}) (?:МБ|ГБ|с|хв|год|мс|%|шт\\.|дн\\.)(?!\\p{L})': 'a no-break space before the unit',
}

/** Metaphors that are not allowed in comments, test titles and documentation, each with the technical term to use. */
const METAPHORS: BannedList = {
  'left out|leav(?:e|es|ing) out': 'omitted, ignored or removed',
  'go(?:es|ing)? on|went on': 'continue',
  'for good': 'permanently',
  'for ever': 'indefinitely',
  'lapsed?': 'expired',
  anew: 'again',
  beside: 'next to, in addition to or together with',
  'by hand': 'manually',
  'somebody else|someone else|anybody else': 'another user',
  whoever: 'the user who',
  '(?:our own|of ours)': 'of the product, project or installation',
  '(?:connection|file|folder|form|lock|page|process|query|queue|reader|row|table|thread|transaction)s? of (?:its|their) own':
    'separate',
  'stands? (?:above|behind|below|in|for)': 'is above, after, below or in; is replaced by',
  'lies? (?:behind|in)': 'is after or in',
  '(?:is|are|was|were) told': 'is notified, informed or sent',
  said: 'stated, sent or returned',
  'says so': 'is set, or returns it',
  'nobody (?:asks|waits) for': 'is not requested, is not awaited',
  'knows? (?:no|nothing|neither)': 'does not support, is independent of',
  'remembers?|remembered': 'stores',
  'bec(?:a|o)mes? of': 'the state or outcome of',
  '(?:takes?|taking|brings?|comes?|carr(?:y|ies)) along': 'include',
  'turned away': 'refused',
  'hands? out': 'distribute',
  'on air': 'live',
  'so many (?:seconds|minutes|hours|days|times)': 'a number of',
}

/** Files about words that are not used. */
const LISTS_OF_WORDS = new Set(['docs/glossary.md', 'docs/terms.md', 'tests/architecture/terms.test.ts'])

/** Texts in which a banned expression is correct, by language and key, each with the reason. */
const ALLOWED: Record<string, string> = {
  'en/errors:email_not_latin': 'letters of the alphabet',
  'en/errors:password_lower': 'a letter of the alphabet',
  'en/errors:password_upper': 'a letter of the alphabet',
  'en/shell:styleguide.rule1': 'a letter of the alphabet',
  'en/shell:styleguide.rule2': 'a letter of the alphabet',
  'en/offer:coupon.codeHint': 'letters of the alphabet',
  'en/storage:suggest.task': 'a request to the language service, which is not displayed',
  'en/user:field.subdomainHint': 'letters of the alphabet',
  'en/errors:subdomain_format': 'letters of the alphabet',
  'uk/errors:required': 'prescribed by the specification',
  'uk/shell:styleguide.nameError': 'prescribed by the specification',
  'uk/errors:passwords_differ': 'prescribed by the specification',
  'uk/player:pip': 'the usual name of picture-in-picture',
  'uk/player:pipLeave': 'the usual name of picture-in-picture',
  'uk/stage:keys.screen': 'showing the screen, not a session',
  'uk/statistics:buttons.shown': 'how often a button was shown, not a session',
}

interface Rule {
  pattern: RegExp
  use: string
}

const rulesOf = (list: BannedList, patternOf: (expression: string) => RegExp): Rule[] =>
  Object.entries(list).map(([expression, use]) => ({ pattern: patternOf(expression), use }))

// `\b` supports Latin letters only; the apostrophe is part of a Ukrainian word.
const RULES: Record<Dictionary['language'], Rule[]> = {
  en: rulesOf(ENGLISH, (words) => new RegExp(`\\b(?:${words})\\b`, 'i')),
  uk: [
    ...rulesOf(UKRAINIAN_STEMS, (stems) => new RegExp(`(?<![\\p{L}’])(?:${stems})\\p{L}*`, 'iu')),
    ...rulesOf(UKRAINIAN_WORDS, (words) => new RegExp(`(?<![\\p{L}’])(?:${words})(?![\\p{L}’])`, 'iu')),
    ...rulesOf(UKRAINIAN_FORMS, (form) => new RegExp(form, 'iu')),
  ],
}

const METAPHOR_RULES = rulesOf(METAPHORS, (words) => new RegExp(`\\b(?:${words})\\b`, 'i'))

/** Metaphors in the comments and test titles of a code file, or in a document. */
export function metaphorsIn(file: SourceFile): Violation[] {
  if (LISTS_OF_WORDS.has(file.path)) return []
  // Most files contain none: only the others are parsed.
  const rules = METAPHOR_RULES.filter(({ pattern }) => pattern.test(unwrap(file.source)))
  if (rules.length === 0) return []
  const texts = proseOf(file).map(unwrap)
  return rules.flatMap(({ pattern, use }) =>
    texts.flatMap((text) => {
      const found = pattern.exec(text)?.[0]
      return found ? [{ path: file.path, message: `says “${found}”: use “${use}”` }] : []
    }),
  )
}

function proseOf(file: SourceFile): string[] {
  if (file.path.endsWith('.md')) return [file.source]
  if (file.path.endsWith('.css')) return file.source.match(/\/\*[\s\S]*?\*\//g) ?? []
  const titles = file.path.startsWith('tests/') ? file.source.matchAll(/\((['"`])(.+)\1, (?:async )?\(/g) : []
  return [...commentsOf(file), ...Array.from(titles, ([, , title]) => title ?? '')]
}

/** A text in one line, without the asterisks of a comment. */
const unwrap = (text: string): string => text.replace(/\n\s*(?:\*|\/\/)?\s*/g, ' ')

/** Banned expressions in the texts of both languages. */
export function bannedTerms(dictionaries: Dictionary[]): Violation[] {
  return dictionaries.flatMap(({ path, language, texts }) =>
    [...texts]
      .filter(([key]) => !(`${language}/${key}` in ALLOWED))
      .flatMap(([key, text]) =>
        RULES[language].flatMap(({ pattern, use }) => {
          const found = pattern.exec(text)?.[0]
          return found ? [{ path, message: `${key} says “${found}”: use “${use}”` }] : []
        }),
      ),
  )
}

/** Exceptions that are no longer needed. */
export function needlessExceptions(dictionaries: Dictionary[]): string[] {
  const needed = (exception: string) =>
    dictionaries.some(({ language, texts }) => {
      const text = texts.get(exception.slice(language.length + 1))
      return exception.startsWith(`${language}/`) && text && RULES[language].some(({ pattern }) => pattern.test(text))
    })
  return Object.keys(ALLOWED).filter((exception) => !needed(exception))
}
