/** A part of a source, as the parser gives it. */
export type Node = Readonly<Record<string, unknown>> & { readonly type: string }

/** Visits a part and all parts of it, in their order. */
export function walk(node: unknown, visit: (node: Node) => void): void {
  if (Array.isArray(node)) for (const each of node) walk(each, visit)
  else if (typeof node === 'object' && node !== null) {
    if ('type' in node) visit(node as Node)
    for (const value of Object.values(node)) if (typeof value === 'object') walk(value, visit)
  }
}

/** The fields of an object that is written down, by their names. */
export function fieldsOf(object: Node): ReadonlyMap<string, Node> {
  const properties = (object['properties'] ?? []) as readonly Node[]
  return new Map(properties.map((each) => [nameOf(each['key'] as Node | undefined), each['value'] as Node]))
}

function nameOf(key: Node | undefined): string {
  return String(key?.['name'] ?? key?.['value'])
}
