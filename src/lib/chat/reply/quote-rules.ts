import { trimEndOf } from '#lib/core/shared/text/trim-end.ts'

/*
 * What mail programs write above a quoted email, in the languages of their interfaces. Every expression is applied to one line or to a
 * few short ones, and is linear.
 */

type HeaderKind = 'from' | 'date' | 'to' | 'subject'

/** Labels of the header fields that Outlook, Samsung, Yahoo and others show above a quoted email. */
const HEADER_LABELS: Record<HeaderKind, string> = {
  from: 'from|nadawca|від кого|від|от кого|от|od|von|de|da|van|fra|från|lähettäjä|expéditeur|mittente|remitente',
  date: `sent|date|sent at|надіслано|дата|відправлено|дата й час|отправлено|отправлен|data|wysłano|wysłane|gesendet|datum|envoyé|inviato|enviado
    |enviada em|fecha|verzonden|sendt|skickat|dato|lähetetty`,
  to: 'to|adresat|кому|одержувач|до|do|an|à|a|para|til|till|aan|vastaanottaja|destinatario',
  subject: 'subject|тема|temat|betreff|objet|oggetto|asunto|assunto|onderwerp|emne|ämne|aihe',
}
const HEADERS = (Object.keys(HEADER_LABELS) as HeaderKind[]).map(
  (kind) =>
    [
      kind,
      new RegExp(`^[*_]{0,2}(?:${HEADER_LABELS[kind].replace(/\s+/g, ' ').replaceAll(' |', '|')})\\s?:`, 'iu'),
    ] as const,
)

/** Which header field a line shows; null for others. */
export function headerKindOf(line: string): HeaderKind | null {
  if (line.length > 300) return null
  const text = line.trim()
  return HEADERS.find(([, pattern]) => pattern.test(text))?.[0] ?? null
}

const ORIGINAL = `original message|original appointment|reply message|forwarded message|begin forwarded message|оригінальне повідомлення
  |початкове повідомлення|вихідне повідомлення|переслане повідомлення|перенаправлене повідомлення|пересилане повідомлення|оригінал повідомлення|исходное сообщение
  |оригинальное сообщение|пересылаемое сообщение|пересланное сообщение|конец исходного сообщения|wiadomość oryginalna|oryginalna wiadomość
  |treść oryginalnej wiadomości|wiadomość przekazana|treść przekazanej wiadomości|przekazana wiadomość|ursprüngliche nachricht|originalnachricht
  |original-nachricht|originale nachricht|weitergeleitete nachricht|message d'origine|message original|message d’origine
  |message transféré|messaggio originale|messaggio inoltrato|mensaje original|mensaje reenviado|mensagem original|oprindelig meddelelse|originalmeddelelse
  |oorspronkelijk bericht|opprinnelig melding|ursprungligt meddelande|alkuperäinen viesti|původní zpráva`
const ORIGINAL_WORDS = ORIGINAL.replace(/\s+/g, ' ').replaceAll(' |', '|')
// With few dashes on one side it may be an item of a list.
const ORIGINAL_LINE = new RegExp(
  `^(?:[-_=—–]{4,} ?(?:${ORIGINAL_WORDS})|[-_=—–]{2,} ?(?:${ORIGINAL_WORDS}) ?[-_=—–]{2,})`,
  'iu',
)
const APPLE_FORWARD =
  /^(?:begin forwarded message|початок пересланого повідомлення|початок переправленого повідомлення|начало переадресованного сообщения|anfang der weitergeleiteten nachricht|początek przekazywanej wiadomości):$/i

/** `-----Original Message-----`, in any language that is known. */
export const isOriginalLine = (line: string): boolean =>
  line.length < 2000 && (ORIGINAL_LINE.test(line.trim()) || APPLE_FORWARD.test(line.trim()))

/** A line that may separate a quoted email if its header fields follow: `-------- … --------`, `________`. */
export const isRule = (line: string): boolean => line.length < 200 && (isNamedRule(line.trim()) || isPlainRule(line))

function isNamedRule(text: string): boolean {
  const named = text.replace(/^[-—–]+/, '')
  const name = trimEndOf(named, '-—–')
  const marks = [text.length - named.length, named.length - name.length]
  return Math.min(...marks) >= 3 && /^[\p{L}'’ -]{3,60}$/u.test(name.trim())
}

/** The line that Outlook draws above a quoted email. */
export const isPlainRule = (line: string): boolean => line.length < 200 && /^[-_*—–]{5,}$/.test(line.trim())

const VERBS = `wrote|writes|пише|пишет|написа(?:в|ла|л|ли|но)|пишуть|пишут|pisze|napisał|napisała|napisano|schrieb|schreibt|geschrieben|écrit|scritto|escribió
  |escribi|escreveu|schreef|skrev|skrevet|kirjoitti|napsala?|dodano|geschreven|напісаў`
const VERB = new RegExp(`(?<![\\p{L}])(?:${VERBS.replace(/\s+/g, '')})(?![\\p{L}])`, 'iu')
const WEEKDAYS =
  "пн|вт|ср|чт|пт|сб|нд|вс|понеділок|вівторок|середа|четвер|п[’'ʼ]ятниця|субота|неділя|понедельник|вторник|среда|четверг|пятница|суббота|воскресенье|mon|tue|wed|thu|fri|sat|sun|monday|tuesday|wednesday|thursday|friday|saturday|sunday|pon|wt|śr|czw|pt|sob|niedz|ndz|poniedziałek|wtorek|środa|czwartek|piątek|sobota|niedziela|mo|di|mi|do|fr|sa|so|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|lun|mar|mer|jeu|ven|sam|dim|ma|ke|la|su|to|ti|pe"
const START = new RegExp(
  `^(?:[-—]{2,5} ?)?(?:(?:on|am|w dniu|dnia|wiadomość napisana|le|el|il|em|op|den|på|vào|у|в) |(?:${WEEKDAYS})[.,]|\\d|"|«|')`,
  'iu',
)
const ADDRESS = /[^\s<>@]@[^\s<>@]/
const TIME = /\d{1,2}[:.h]\d{2}/
const DATE = /(?:\d{1,2}|\d{4})[./-]\d{1,2}[./-](?:\d{4}|\d{1,2})|20\d\d/

const ATTRIBUTION_END = /(?:[:：\]]|--|:\*|> (?:wrote|пише|пишет))$/i

/**
 * Whether a text is a line such as `On Tue, Nov 24, 2026 at 20:00 School <…> wrote:`.
 * @param isQuoteNext lines that are marked as quoted follow
 */
export function isAttribution(text: string, isQuoteNext: boolean): boolean {
  if (text.length > 600 || !ATTRIBUTION_END.test(text)) return false
  const [hasVerb, hasAddress, hasTime, hasDate] = [VERB, ADDRESS, TIME, DATE].map((pattern) => pattern.test(text))
  const isStart = START.test(text)
  if (isQuoteNext) {
    if (hasAddress) return Boolean(hasVerb || hasTime || hasDate)
    return Boolean(hasVerb && ((isStart && /\d/.test(text)) || (hasTime && hasDate)))
  }
  if (hasAddress && hasVerb) return Boolean(hasTime || hasDate)
  return Boolean(hasAddress && hasTime && hasDate && (isStart || endsWithSender(text)))
}

// "… from School <school@example.com>:"
function endsWithSender(text: string): boolean {
  const clause = text.slice(text.lastIndexOf(':', text.length - 2) + 1, -1)
  return text.endsWith(':') && /(?:від|от|od|von|from) ./i.test(clause)
}

/** Whether a line may be the first one of an attribution that has several. */
export const canStartAttribution = (line: string): boolean => START.test(line)

/** Whether a line begins with a time, not only with a name. */
export const startsWithTime = (line: string): boolean => START.test(line) && !/^["«']/.test(line)

/** `School wrote:`, which only marked lines below make an attribution. */
export const isShortAttribution = (line: string): boolean => line.length < 120 && line.endsWith(':') && VERB.test(line)

const MOBILE = [
  /^(?:sent|written) (?:from|via|with|using) (?:my |the )?[\p{L}\d][^,;.!?]{0,60}$/iu,
  /^(?:get|download) outlook for (?:ios|android)(?: ?[<(]https?:\/\/[^\s<>]{1,200}[>)])?$/i,
  /^(?:надіслано|відправлено|написано|створено) (?:з|із|зі|за допомогою|через) [^,;!?]{1,50}[^.,;!?]$/iu,
  /^(?:отправлено|написано) (?:с|со|из|через|с помощью) [^,;!?]{1,50}[^.,;!?]$/iu,
  /^(?:отримати|завантажити|отримайте|скачать|загрузить) outlook (?:для|for) (?:ios|android).{0,200}$/iu,
  /^(?:wysłane|wysłano) (?:z|ze|za pomocą) [^,;!?]{1,50}[^.,;!?]$/iu,
  /^(?:von meinem|von meiner) [^.!?]{1,40} gesendet$/iu,
  /^gesendet (?:von|mit|über) [^.!?]{1,60}$/iu,
  /^(?:pobierz|holen sie sich|outlook für) ?[^.!?]{0,30}(?:ios|android).{0,200}$/iu,
  /^envoyé (?:de|depuis) mon [^.!?]{1,40}$/iu,
]
/** Words of a device or program: a sentence that only begins like such a line has none of them. */
const DEVICE =
  /iphone|ipad|android|galaxy|samsung|xiaomi|redmi|huawei|honor|pixel|blackberry|outlook|yahoo|gmail|mail|пошт|почт|ukr\.net|телефон|смартфон|планшет|phone|mobile|мобільн|мобильн|device|пристро|устройств|handy|tablet|telefon|windows|macbook|motorola|nokia|lenovo/iu

/** The line that a mail program adds below the text, such as `Sent from my iPhone`. */
export function isMobileLine(line: string): boolean {
  if (line.length > 400) return false
  const text = withoutLastLink(line.trim())
  return DEVICE.test(text) && MOBILE.some((pattern) => pattern.test(text))
}

function withoutLastLink(text: string): string {
  const start = Math.max(text.lastIndexOf('<http'), text.lastIndexOf('(http'))
  const isLink = start >= 0 && /^[<(]https?:\/\/[^\s<>]{1,300}$/.test(text.slice(start, -1)) && /[>)]$/.test(text)
  return isLink ? text.slice(0, start).trimEnd() : text
}
