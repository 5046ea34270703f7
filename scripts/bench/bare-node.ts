import fs from 'node:fs'
import http from 'node:http'
import type { Captured } from './captured.ts'

/*
 * Baseline N, a separate process: node bare-node.ts <file>. The file lists ports with a response each; the server only
 * sends the same bytes.
 */
const answers: { port: number; answer: Captured }[] = JSON.parse(fs.readFileSync(process.argv[2] ?? '', 'utf8'))
for (const { port, answer } of answers) {
  const body = Buffer.from(answer.body, 'base64')
  http
    .createServer((_request, response) => {
      response.writeHead(answer.status, answer.headers)
      response.end(body)
    })
    .listen(port, '127.0.0.1')
}
process.on('SIGTERM', () => process.exit(0))
