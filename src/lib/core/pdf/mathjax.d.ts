declare module 'mathjax' {
  /** A node of the tree that MathJax renders on a server. */
  export interface LiteNode {
    kind: string
    attributes?: Record<string, string | undefined>
    children?: LiteNode[]
  }
  interface MathJaxConfiguration {
    loader: Record<'load', readonly string[]>
    svg: { fontCache: 'none'; linebreaks: { inline: boolean } }
    tex: {
      packages: readonly string[]
      maxMacros: number
      maxBuffer: number
      formatError(parser: unknown, error: Error): never
    }
  }
  export interface MathJax {
    tex2svgPromise(tex: string, options: { display: boolean }): Promise<LiteNode>
  }
  const loader: { init(configuration: MathJaxConfiguration): Promise<MathJax> }
  export default loader
}
