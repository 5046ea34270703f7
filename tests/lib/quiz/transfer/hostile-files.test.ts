import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { makeZip } from 'client-zip'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Refusal } from '#lib/core/http/refusal.ts'
import { readQuestionFile } from '#lib/quiz/transfer/read-file.ts'

let scratch: string
beforeAll(async () => {
  scratch = await mkdtemp(path.join(tmpdir(), 'kafedra-hostile-'))
})
afterAll(() => rm(scratch, { recursive: true, force: true }))

async function read(content: string | Uint8Array) {
  const file = path.join(scratch, crypto.randomUUID())
  await writeFile(file, content)
  return readQuestionFile({ path: file, scratch })
}

const reasonOf = (content: string | Uint8Array) =>
  read(content).then(
    () => 'read',
    (error: unknown) =>
      error instanceof Refusal
        ? Object.values(error.details.fields ?? {})
            .flat()
            .join()
        : String(error),
  )

const zip = async (files: Record<string, string | Uint8Array>): Promise<Uint8Array> => {
  const entries = Object.entries(files).map(([name, input]) => ({
    name,
    input: typeof input === 'string' ? input : Buffer.from(input),
  }))
  return new Uint8Array(await new Response(makeZip(entries)).arrayBuffer())
}

const ITEM = `<assessmentItem xmlns="http://www.imsglobal.org/xsd/imsqti_v2p2" identifier="i" title="t">
<responseDeclaration identifier="RESPONSE" cardinality="single" baseType="identifier"><correctResponse><value>A</value></correctResponse></responseDeclaration>
<itemBody><p>Question <img src="IMAGE" alt="a"/></p><choiceInteraction responseIdentifier="RESPONSE" maxChoices="1"><simpleChoice identifier="A">a</simpleChoice><simpleChoice identifier="B">b</simpleChoice></choiceInteraction></itemBody></assessmentItem>`

describe('malicious files', () => {
  test.each([
    [
      'an entity',
      '<?xml version="1.0"?><!DOCTYPE quiz [<!ENTITY a "b">]><quiz><question type="essay"><name><text>&a;</text></name></question></quiz>',
    ],
    [
      'an external entity',
      '<?xml version="1.0"?><!DOCTYPE quiz [<!ENTITY a SYSTEM "file:///etc/passwd">]><quiz>&a;</quiz>',
    ],
    [
      'a parameter entity in the document type',
      '<?xml version="1.0"?><!DOCTYPE quiz SYSTEM "a.dtd" [<!-- ]> --><!ENTITY % x SYSTEM "file:///etc/passwd"> %x;]><quiz/>',
    ],
    ['a document type without an end', '<?xml version="1.0"?><!DOCTYPE quiz [<!ELEMENT a (b)><quiz/>'],
    [
      'a billion laughs',
      `<?xml version="1.0"?><!DOCTYPE quiz [<!ENTITY a "ha"><!ENTITY b "${'&a;'.repeat(50)}">]><quiz>&b;</quiz>`,
    ],
  ])('%s is refused', async (_, xml) => {
    expect(await reasonOf(xml)).toBe('import_xml')
  })

  test('an entity inside a package is refused', async () => {
    const bytes = await zip({ 'item.xml': `<!DOCTYPE a [<!ENTITY x "y">]>${ITEM}` })
    expect(await reasonOf(bytes)).toBe('import_xml')
  })

  test('a path that leads out of a package is refused', async () => {
    expect(await reasonOf(await zip({ 'item.xml': ITEM, '../../outside.png': 'x' }))).toBe('archive_path')
  })

  test('an image outside of the package is not read', async () => {
    const { questions, files } = await read(await zip({ 'item.xml': ITEM.replace('IMAGE', '../../../etc/passwd') }))
    expect(files).toEqual([])
    expect(questions[0]?.reasons).toContain('image_missing')
  })

  test('an image of another site is not loaded', async () => {
    const { questions, files } = await read(
      await zip({ 'item.xml': ITEM.replace('IMAGE', 'http://127.0.0.1:1/a.png') }),
    )
    expect(files).toEqual([])
    expect(questions[0]?.reasons).toContain('image_missing')
  })

  test('scripts and handlers are removed from texts', async () => {
    const { questions } = await read(
      '[html]A<script>alert(1)</script><img src\\=x onerror\\=alert(1)><a href\\="javascript\\:alert(1)">b</a>{T}',
    )
    expect(JSON.stringify(questions[0]?.draft)).not.toMatch(/script|onerror|alert/)
    expect(questions[0]?.verdict).toBe('changed')
  })

  test.each([
    ['a program', Buffer.from([0x4d, 0x5a, 0, 0, 1, 2, 3, 0xff])],
    ['an empty archive', Buffer.from('504b0506000000000000000000000000000000000000', 'hex')],
    ['a page', '<!doctype html><p>{x}</p>'],
    ['a text without questions', 'Just a text.'],
  ])('%s is refused', async (_, content) => {
    expect(await reasonOf(content)).toMatch(/questions_unknown|archive_damaged/)
  })

  test('more questions than the limit are refused', async () => {
    expect(await reasonOf('A{T}\n\n'.repeat(2001))).toBe('questions_many')
  })

  test('deep nesting ends in a refusal or a question, not in an error', async () => {
    const xml = `<?xml version="1.0"?><quiz><question type="essay"><questiontext format="html"><text><![CDATA[${'<div>'.repeat(3000)}a]]></text></questiontext></question></quiz>`
    expect(await reasonOf(xml)).toMatch(/^(read|import_xml)$/)
  })
})

describe('one broken question', () => {
  test('does not affect the others of a file, and has its line', async () => {
    const { questions } = await read('First{T}\n\n// note\nBroken {=a ~\n\nThird{=a ~b}\n')
    expect(questions.map(({ line, verdict, reasons }) => ({ line, verdict, reasons }))).toEqual([
      { line: 1, verdict: 'imported', reasons: [] },
      { line: 4, verdict: 'skipped', reasons: ['syntax'] },
      { line: 6, verdict: 'imported', reasons: [] },
    ])
  })
})
