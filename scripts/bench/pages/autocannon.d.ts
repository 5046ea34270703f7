declare module 'autocannon' {
  interface Options {
    url: string
    connections: number
    duration?: number
    amount?: number
    pipelining?: number
    headers?: Record<string, string>
    requests?: { path: string; headers: Record<string, string> }[]
  }
  interface Result {
    '2xx': number
    non2xx: number
    errors: number
    timeouts: number
    duration: number
    requests: { total: number }
    latency: { p50: number; p99: number }
  }
  export default function autocannon(options: Options): Promise<Result>
}
