/** A text of a file of Astro, and the text that replaces it in the build. */
export type Replacement = readonly [before: string, after: string]

/*
 * Replaced parts of Astro's server runtime, by file. Each computes the same as the original with less work for each
 * page or component: see docs/decisions/159 and 331.
 */
export const RENDER_REPLACEMENTS: Readonly<Record<string, readonly Replacement[]>> = {
  // The hashes are those of the scripts and styles of the build, so their number is limited.
  'core/encryption.js': [
    [
      'async function generateCspDigest(',
      `const digests = new Map();
function generateCspDigest(data, algorithm) {
  const key = algorithm + data;
  const known = digests.get(key) ?? makeCspDigest(data, algorithm);
  if (digests.size < 1000) digests.set(key, known);
  return known;
}
async function makeCspDigest(`,
    ],
  ],

  // A page remains text until the HTTP server compresses it. A body is created for code that reads it.
  'runtime/server/render/page.js': [
    [
      'async function renderPage(',
      `class PageResponse extends Response {
  #body;
  constructor(text, init) {
    super(null, init);
    this.pageText = text;
  }
  get body() {
    return (this.#body ??= new Response(this.pageText).body);
  }
  async text() {
    return this.pageText;
  }
  async arrayBuffer() {
    return encoder.encode(this.pageText).buffer;
  }
  clone() {
    return new PageResponse(this.pageText, this);
  }
}
async function renderPage(`,
    ],
    [
      `  if (!streaming && typeof body === "string") {
    body = encoder.encode(body);
    headers.set("Content-Length", body.byteLength.toString());
  }`,
      '  const PageOrStream = typeof body === "string" ? PageResponse : Response;',
    ],
    [
      'return new Response(body, { ...init, headers, status, statusText });',
      'return new PageOrStream(body, { ...init, headers, status, statusText });',
    ],
    ['return new Response(body, { ...init, headers });', 'return new PageOrStream(body, { ...init, headers });'],
  ],
  'core/app/node.js': [
    [
      'const { status, headers, body, statusText } = source;',
      'const { status, headers, statusText, pageText } = source;',
    ],
    [
      '  if (!body) return destination.end();',
      `  if (pageText !== undefined) return destination.end(pageText);
  const { body } = source;
  if (!body) return destination.end();`,
    ],
  ],

  // Without arrays of arguments.
  'runtime/server/astro-component.js': [
    [
      `  const fn = (...args) => {
    if (!validateArgs(args)) {`,
      `  const fn = (result, props, slots) => {
    if (!result || typeof result !== "object") {`,
    ],
    ['    return cb(...args);', '    return cb(result, props, slots);'],
  ],

  // Objects of one class instead of objects whose prototype is created for each request: V8 optimizes access to them.
  'core/fetch/fetch-state.js': [
    [
      'class FetchState {',
      `class ComponentGlobal {
  static delegated = false;
  static delegate(page) {
    ComponentGlobal.delegated = true;
    for (const key of Object.keys(page)) {
      if (key === "props" || key === "self") continue;
      const get = key === "slots"
        ? function () { return Reflect.get(this.page, key, this); }
        : function () { return this.page[key]; };
      Object.defineProperty(ComponentGlobal.prototype, key, { get, enumerable: true, configurable: true });
    }
  }
  constructor(page, props, slotValues) {
    if (!ComponentGlobal.delegated) ComponentGlobal.delegate(page);
    this.page = page;
    this.props = props;
    this.self = null;
    this[slotValuesSymbol] = slotValues;
  }
}
class FetchState {`,
    ],
    [
      `    const Astro = Object.assign(Object.create(astroPagePartial), {
      props,
      self: null
    });
    Object.defineProperty(Astro, slotValuesSymbol, {
      value: slotValues,
      writable: true,
      configurable: true,
      enumerable: false
    });
    return Astro;`,
      '    return new ComponentGlobal(astroPagePartial, props, slotValues);',
    ],
  ],

  // Names of attributes are those of the sources, so their number is limited.
  'runtime/server/render/util.js': [
    [
      'function classifyAttribute(key) {',
      `const attributeKinds = new Map();
function classifyAttribute(key) {
  let kind = attributeKinds.get(key);
  if (kind === undefined) {
    kind = computeAttributeKind(key);
    if (attributeKinds.size < 1000) attributeKinds.set(key, kind);
  }
  return kind;
}
function computeAttributeKind(key) {`,
    ],
  ],
}
