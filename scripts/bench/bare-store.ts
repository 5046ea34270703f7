import fs from 'node:fs'
import http from 'node:http'
import { pipeline } from 'node:stream/promises'

/*
 * Baseline W, a separate process: node bare-store.ts <port> <file>. A plain node:http server that writes the body of a
 * PUT into the file and responds after it is flushed to the disk; GET returns the requested Range.
 */
const [, , port = '', file = ''] = process.argv
const server = http.createServer(async (request, response) => {
  if (request.method === 'PUT') {
    await pipeline(request, fs.createWriteStream(file, { flush: true }))
    response.writeHead(200).end()
    return
  }
  const { size } = await fs.promises.stat(file)
  const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? []
  const [start, end] = [Number(from ?? 0), Number(to ?? size - 1)]
  response.writeHead(from === undefined ? 200 : 206, {
    'Content-Type': 'video/mp4',
    'Content-Length': end - start + 1,
    'Accept-Ranges': 'bytes',
    'Content-Range': `bytes ${start}-${end}/${size}`,
  })
  await pipeline(fs.createReadStream(file, { start, end }), response).catch(() => {})
})
server.requestTimeout = 0
server.listen(Number(port), '127.0.0.1')
process.on('SIGTERM', () => process.exit(0))
