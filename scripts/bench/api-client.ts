import http from 'node:http'
import type { Product } from './product.ts'

/** A client that calls procedures of the product, over connections that stay open. */
export interface ApiClient {
  port: number
  headers: Record<string, string>
  agent: http.Agent
}

export function createApiClient(product: Product, label: string, token: string, agent: http.Agent): ApiClient {
  const json = { accept: 'application/json', 'accept-encoding': 'identity', 'content-type': 'application/json' }
  const headers = { ...product.headersFor(label, token), ...json }
  return { port: product.port, headers, agent }
}

/** Procedures that read take their input from the query. */
const READS = /\/(get|list|count|find)/

/** Calls a procedure (`quiz/saveAnswer`) and returns its output; throws on any status but 200. */
export function callProcedure<Output>(
  { port, headers, agent }: ApiClient,
  procedure: string,
  input: Record<string, unknown>,
): Promise<Output> {
  const reads = READS.test(procedure)
  const query = reads ? `?${new URLSearchParams(input as Record<string, string>)}` : ''
  const body = Buffer.from(reads ? '' : JSON.stringify(input))
  const options = { host: '127.0.0.1', port, agent, method: reads ? 'GET' : 'POST' }
  return new Promise((resolve, reject) => {
    const request = http.request(
      {
        ...options,
        path: `/v1/module/${procedure}${query}`,
        headers: { ...headers, 'content-length': String(body.length) },
      },
      (response) => {
        let output = ''
        response.setEncoding('utf8')
        response.on('data', (chunk: string) => (output += chunk))
        response.on('error', reject)
        response.on('end', () => {
          if (response.statusCode === 200) resolve(JSON.parse(output))
          else reject(new Error(`${procedure} answered ${response.statusCode}: ${output.slice(0, 300)}`))
        })
      },
    )
    request.on('error', reject)
    request.end(body)
  })
}

/** Runs a function for each item with limited concurrency. */
export async function runEach<Item>(
  items: readonly Item[],
  width: number,
  run: (item: Item, index: number) => Promise<void>,
): Promise<void> {
  let next = 0
  const work = async () => {
    while (next < items.length) {
      const index = next++
      const item = items[index]
      if (item !== undefined) await run(item, index)
    }
  }
  await Promise.all(Array.from({ length: width }, work))
}
