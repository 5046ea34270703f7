import { expect, test } from 'vitest'
import { newTextOf } from '#lib/chat/reply/rules.ts'
import { parseReply } from '#lib/chat/reply/worker.ts'
import { textOfHtml } from '#lib/core/mail/inbound/html-text.ts'

const OWN = 'Так, прийду.'

/** Above a quote of which the lines are marked or not: Gmail, Apple, Yahoo, ukr.net, Mail.ru, Yandex, Outlook. */
const ATTRIBUTIONS = [
  'вт, 24 лист. 2026 р. о 20:00 Школа <a@b.test> пише:',
  'вт, 24 нояб. 2026 г. в 20:00, Школа <a@b.test>:',
  'wt., 24 lis 2026 o 20:00 Школа <a@b.test> napisał(a):',
  'Am Di., 24. Nov. 2026 um 20:00 Uhr schrieb Школа <a@b.test>:',
  'On Tue, Nov 24, 2026 at 8:00\u202fPM Школа <a@b.test> wrote:',
  '28 лист. 2026 р. о 12:30 Школа <a@b.test> пише:',
  '28 лист. 2026, о 12:30, Школа <a@b.test> написав(-ла):',
  '28 нояб. 2026 г., в 12:30, Школа <a@b.test> написал(а):',
  'Wiadomość napisana przez Школа <a@b.test> w dniu 28 lis 2026, o godz. 12:30:',
  'Am 28.11.2026 um 12:30 schrieb Школа <a@b.test>:',
  'субота, 28 листопада 2026 р. о 12:30:00 за Гринвічем+2, Школа <a@b.test> пише:',
  'суббота, 28 ноября 2026 г., 12:30:00 GMT+2, Школа <a@b.test> написал(а):',
  'Am Samstag, 28. November 2026 um 12:30:00 MEZ hat Школа <a@b.test> Folgendes geschrieben:',
  'W dniu sobota, 28 listopada 2026 12:30:00 CET użytkownik Школа <a@b.test> napisał:',
  'On Saturday, November 28, 2026 at 12:30:00 PM GMT+2, Школа <a@b.test> wrote:',
  '28 листопада 2026, 12:30:15, від "Школа" <a@b.test>:',
  'Суббота, 28 ноября 2026, 12:30 +02:00 от Школа <a@b.test>:',
  '28.11.2026, 12:30, "Школа" <a@b.test>:',
  '2026-11-28 12:30 GMT+02:00 Школа <a@b.test>:',
  '28 November 2026, 12:30:15, by "Школа" <a@b.test>:',
  'сб, 28 лист. 2026 р. о 12:30 Школа <\na@b.test> пише:',
  'пт, 27 лист. 2026 р., 9:05 Школа <a@b.test> пише:',
  'У сб, 28 лист. 2026 о 12:30 Школа через Kafedra <a@b.test> написали:',
  'Школа <a@b.test> schrieb am 28.11.2026 um 12:30:',
  '28/11/2026 12:30, Школа <a@b.test> пише:',
]
/** Without an address: Thunderbird, which marks the lines. */
const MARKED_ATTRIBUTIONS = [
  '28.11.26 12:30, Школа пише:',
  '28.11.2026 12:30, Школа пишет:',
  'W dniu 28.11.2026 o 12:30, Школа pisze:',
  'Am 28.11.26 um 12:30 schrieb Школа:',
  'On 11/28/26 12:30, Школа wrote:',
  'On Sat, 28 Nov 2026 12:30:00 +0200\n"Школа" <a@b.test> wrote:',
  'Школа пише 28.11.26 о 12:30:',
]

test.each([...ATTRIBUTIONS, ...MARKED_ATTRIBUTIONS])(
  'finds the answers above, below and between the quotes of %j',
  (attribution) => {
    const quote = '\n> Нове\n> повідомлення\n'
    for (const text of [
      `${OWN}\n\n${attribution}\n${quote}`,
      `${OWN}\n${attribution}${quote}`,
      `${attribution}${quote}\n${OWN}`,
    ])
      expect(newTextOf(text)).toBe(OWN)
    expect(newTextOf(`${attribution}\n> Нове?\nТак,\n> Друге?\nприйду.`)).toBe('> Нове?\nТак,\n> Друге?\nприйду.')
  },
)

test.each(ATTRIBUTIONS)('finds the answer above a quote without marks below %j', (attribution) => {
  expect(newTextOf(`${OWN}\n\n${attribution}\n\nНове повідомлення\nТекст`)).toBe(OWN)
})

/** Outlook, Samsung and others. */
const HEADER_FIELDS = [
  ['Від: Школа <a@b.test>', 'Надіслано: субота, 28 листопада 2026 р. 12:30', 'Кому: s@x.test', 'Тема: x'],
  ['Від: Школа', 'Надіслано: субота, 28 листопада 2026 р. 12:30', 'Кому: Олена', 'Тема: x'],
  ['From: School <a@b.test>', 'Date: Saturday, 28 November 2026 at 12:30', 'To: s', 'Subject: x'],
  ['Od: School <a@b.test>', 'Wysłane: sobota, 28 listopada 2026 12:30', 'Do: s', 'Temat: x'],
  ['Von: School <a@b.test>', 'Gesendet: Samstag, 28. November 2026 12:30', 'An: s', 'Betreff: x'],
  ['От: School <a@b.test>', 'Отправлено: суббота, 28 ноября 2026 г. 12:30', 'Кому: s', 'Копия: z', 'Тема: x'],
  ['*Від:* Школа <a@b.test>', '*Надіслано:* субота 28 лист', '*Кому:* s', '*Тема:* x'],
]
const SEPARATORS = [
  '',
  '________________________________\n',
  '-----Original Message-----\n',
  '-------- Оригінальне повідомлення --------\n',
  '-------- Исходное сообщение --------\n',
  '-------- Oryginalna wiadomość --------\n',
  '-------- Ursprüngliche Nachricht --------\n',
  '---- Вихідний лист ----\n',
]

test.each(HEADER_FIELDS)('finds the answer above the header fields %s, %s', (...fields) => {
  for (const separator of SEPARATORS)
    expect(newTextOf(`${OWN}\n\n${separator}${fields.join('\n')}\n\nНове\n`)).toBe(OWN)
})

test.each([
  'Надіслано з iPhone',
  'Надіслано з мого iPhone',
  'Надіслано зі смартфону Samsung Galaxy',
  'Надіслано з мого пристрою Galaxy',
  'Надіслано з Outlook для Android',
  'Надіслано з пошти Yahoo для iPhone',
  'Отправлено с iPhone',
  'Отправлено из Почты Mail для Android',
  'Отправлено из мобильной Яндекс Почты',
  'Sent from my iPhone',
  'Sent from my Galaxy',
  'Sent from Outlook for iOS',
  'Sent from Yahoo Mail on Android',
  'Get Outlook for Android<https://aka.ms/x>',
  'Wysłane z iPhone’a',
  'Wysłano z telefonu Galaxy',
  'Von meinem iPhone gesendet',
  'Gesendet mit der GMX Mail App',
  'Sent from Mail for Windows',
  'Отримайте Outlook для Android',
  'Gesendet von Outlook für Android',
  'Надіслано з Поштою Windows',
  'Відправлено з мобільного додатку UKR.NET',
])('removes the line %j of a mail program', (line) => {
  expect(newTextOf(`${OWN}\n\n${line}\n`)).toBe(OWN)
})

test.each([
  'Заповнив:\n____________\nМоє ім’я',
  'Список:\n--\nдруге\n--\nтретє',
  '--',
  'Від: Києва\nДо: Львова\nДата: п’ятниця\nЦіна: 300',
  'From: Kyiv\nTo: Lviv\nDate: 5 December\nSubject: trip\nok?',
  'Він пише:\nтак',
  'Тема: курсова\nДата: 12.12.2026 о 12:30\nКому: викладачу',
  'On Monday I wrote:\nhello',
  '28.11.2026 12:30 я написала:\nпривіт',
  'Зустріч о 12:30, 28.11.2026, адреса a@b.test:\nтак',
  '>>> print(1)\n1',
  'код:\n>>> print(1)',
  '* * *\nдва',
  '-----\nтекст',
  'текст\n_____________________________\nпідпис',
  'Надіслано з помилкою, перепрошую',
  'Sent from my desk it is easier.',
  '-- перше\n-- друге',
  'У 2026 р. Олена написала:\nвірш',
  'Дата: 28.11.2026\nВід: a@b.test\nТе, що я хотіла',
  '=====\nтекст\n=====',
  'Кому: усім',
  '>не цитата? так\nтекст',
  '5 > 3\n> 2 правда',
  'Original message was fine',
  '-- original message was fine',
  'On 28.11.2026 at 12:30 we met Ivan <i@x.test>: it was ok\nnext',
  'Початкове повідомлення я не бачила\nтекст',
])('loses no word of %j', (text) => {
  expect(newTextOf(text)).toBe(text)
})

test.each([
  ['Так\n\nOn Tue, Nov 24, 2026 at 8:00 PM School <a@b.test> wrote:\n> Hi', 'Так'],
  ['Так\n\nOn Tue, Nov 24, 2026 at 8:00 PM School\n<a@b.test>\nwrote:\n\n> Hi', 'Так'],
  ['Так\n\n-----Original Message-----\nFrom: x', 'Так'],
  ['Так\n\nВід: Школа <a@b.test>\nНадіслано: вівторок\nКому: я', 'Так'],
  ['Так\n\n________________________________\nFrom: School', 'Так'],
  ['Так\n-- \nОлена\nмобільний', 'Так'],
  ['Так\n\nНадіслано з iPhone', 'Так'],
  ['> Коли?\nЗавтра\n> Де?\nТут\n', '> Коли?\nЗавтра\n> Де?\nТут'],
  ['Він мені пише:\nпривіт', 'Він мені пише:\nпривіт'],
  ['> лише цитата', ''],
  [`${'>'.repeat(3000)}\n${'a'.repeat(100_000)}`, `${'>'.repeat(3000)}\n${'a'.repeat(100_000)}`],
  [`${OWN}\n-- \nОлена\n\nOn Tue, Nov 24, 2026 at 8:00 PM School <a@b.test> wrote:\n> Hi\n`, OWN],
  [`-- \n${'рядок\n'.repeat(20)}`, `--\n${'рядок\n'.repeat(20)}`.trim()],
  ['5 > 3\n> 2 правда', '5 > 3\n> 2 правда'],
])('the new text of %j is found', (text, expected) => {
  expect(newTextOf(text)).toBe(expected)
})

test.each([
  '<div dir="ltr">Так, <b>прийду</b>.</div><br><div class="gmail_quote gmail_quote_container"><div dir="ltr" class="gmail_attr">сб, 28 лист. 2026 р. о 12:30 Школа &lt;<a href="mailto:a@b.test">a@b.test</a>&gt; пише:<br></div><blockquote class="gmail_quote" style="x"><div>Нове</div></blockquote></div>',
  '<html><head><style>p{}</style></head><body><p>Так, прийду.</p><hr><div id="divRplyFwdMsg"><b>Від:</b> Школа &lt;a@b.test&gt;<br><b>Надіслано:</b> x<br><b>Кому:</b> s<br><b>Тема:</b> x</div><div>Нове</div></body></html>',
  '<div>Так, прийду.</div><div class="yahoo_quoted"><div>On Saturday, November 28, 2026 at 12:30:00 PM GMT+2, School &lt;a@b.test&gt; wrote:</div><div>Нове</div></div>',
  '<body>Так, прийду.<br><br><div class="moz-cite-prefix">28.11.26 12:30, Школа пише:<br></div><blockquote type="cite" cite="mid:x"><p>Нове</p></blockquote></body>',
  '<p>Так, прийду.</p><div style="border:none;border-top:solid #E1E1E1 1.0pt"><p class=MsoNormal><b>From:</b> School &lt;a@b.test&gt; <br><b>Sent:</b> Saturday, November 28, 2026 12:30 PM<br><b>To:</b> s<br><b>Subject:</b> x</p></div><p>Нове</p>',
  '<span>Так, прийду.</span><br/><br/><i>28 листопада 2026, 12:30:15, від "Школа" &lt;<a>a@b.test</a>&gt;: </i><br/><br/><blockquote><div>Нове</div></blockquote>',
  '<div>Так, прийду.</div><div><br></div><div id="composer_signature">Надіслано з мого пристрою Galaxy</div><div><br></div><div>-------- Оригінальне повідомлення --------</div><div>Від: Школа &lt;a@b.test&gt; </div><div>Дата: 28.11.26  12:30  (GMT+02:00) </div><div>Кому: s </div><div>Тема: x </div><div>Нове</div>',
])('finds the answer in the HTML %j', (html) => {
  expect(newTextOf(textOfHtml(html))).toBe(OWN)
})

const email = (headers: Record<string, string>, body: Uint8Array | string): Buffer => {
  const lines = Object.entries({ From: 'olena@mail.test', ...headers }).map(([name, value]) => `${name}: ${value}`)
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), Buffer.from(body)])
}
const WINDOWS_1251 = Buffer.from([0xd2, 0xe0, 0xea, 0x2c, 0x20, 0xbf, 0xe6, 0xe0, 0xf7, 0xee, 0xea])
const KOI8_U = Buffer.from([0xf4, 0xc1, 0xcb, 0x2c, 0x20, 0xa7, 0xd6, 0xc1, 0xde, 0xcf, 0xcb])

test.each([
  ['windows-1251', WINDOWS_1251, '8bit'],
  ['koi8-u', KOI8_U, '8bit'],
  ['windows-1251', WINDOWS_1251.toString('base64'), 'base64'],
  ['koi8-u', [...KOI8_U].map((byte) => `=${byte.toString(16).toUpperCase()}`).join(''), 'quoted-printable'],
  ['utf-8', WINDOWS_1251, '8bit'],
  ['us-ascii', KOI8_U, '8bit'],
])('reads text in %s', async (charset, body, encoding) => {
  const type = `text/plain; charset=${charset}`
  const { text } = await parseReply(email({ 'Content-Type': type, 'Content-Transfer-Encoding': encoding }, body))
  expect(text).toBe('Так, їжачок')
})

test('joins the lines of flowed text, but none with a quote or the delimiter of a signature', async () => {
  const type = 'text/plain; charset=utf-8; format=flowed'
  const body = '28.11.26 12:30, Школа пише:\r\n> Нове \r\nЦе довгий \r\nабзац.\r\nДругий.\r\n-- \r\nОлена\r\n'
  expect((await parseReply(email({ 'Content-Type': type }, body))).text).toBe('Це довгий абзац.\nДругий.')
  const shrunk = await parseReply(email({ 'Content-Type': `${type}; delsp=yes` }, 'дов \r\nге\r\n'))
  expect(shrunk.text).toBe('довге')
})

test('an email with deeply nested parts or endless header fields is refused', async () => {
  const nested = Array.from(
    { length: 40 },
    (_, n) => `Content-Type: multipart/mixed; boundary=b${n}\r\n\r\n--b${n}\r\n`,
  )
  await expect(parseReply(`From: a@b.test\r\n${nested.join('')}`)).rejects.toThrow()
  await expect(parseReply(`From: a@b.test\r\nX: ${'x'.repeat(300_000)}\r\n\r\n`)).rejects.toThrow()
})
