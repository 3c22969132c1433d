/** The types of the Python client, made from the description of the API: a TypedDict for each object. */
import { isFlag } from './operations.js'
import { requiredOf } from './fields.js'
import type { Json, OpenApi } from './openapi.js'

/** Collects declarations, in which every name of a type is a text: so their order does not matter. */
export class PythonTypes {
  readonly #declared = new Map<string, string>()

  constructor(readonly api: OpenApi) {
    for (const [name, schema] of Object.entries(api.components.schemas))
      if (name !== 'Error') this.#declare(name, schema)
  }

  /** Source of all types. */
  text(): string {
    return [...this.#declared.values()].join('\n')
  }

  #declare(name: string, schema: Json): void {
    if (schema['type'] === 'object' && isObject(schema['properties'])) this.#object(name, schema)
    else this.#declared.set(name, `${name} = ${this.type(schema, name)}`)
  }

  #object(name: string, schema: Json): void {
    const properties = Object(schema['properties'])
    const required = new Set(requiredOf(schema))
    const fields = Object.keys(properties).map((key) => ({
      isRequired: required.has(key),
      text: `    ${JSON.stringify(key)}: ${JSON.stringify(this.type(properties[key], `_${name.replace(/^_/, '')}_${key}`))},`,
    }))
    const lines = (isRequired: boolean): string =>
      fields
        .filter((each) => each.isRequired === isRequired)
        .map(({ text }) => text)
        .join('\n')
    const [needed, optional] = [lines(true), lines(false)]
    const dict = (own: string, body: string, more = ''): string => `${own} = TypedDict("${own}", {\n${body}\n}${more})`
    if (optional === '') this.#declared.set(name, dict(name, needed))
    else if (needed === '') this.#declared.set(name, dict(name, optional, ', total=False'))
    else {
      const bases = [`_${name}_required`, `_${name}_optional`] as const
      const [first, second] = bases
      this.#declared.set(
        name,
        `${dict(first, needed)}\n${dict(second, optional, ', total=False')}\nclass ${name}(${bases.join(', ')}):\n    pass`,
      )
    }
  }

  /** @param name of the object that the schema describes, where it has none of its own */
  type(schema: Json, name: string): string {
    const { $ref, anyOf, oneOf, type, enum: values, const: value, items } = schema
    if (typeof $ref === 'string') return String($ref.split('/').at(-1))
    if (value !== undefined) return `Literal[${literal(value)}]`
    if (Array.isArray(values)) return `Literal[${values.map(literal).join(', ')}]`
    const several = anyOf ?? oneOf
    if (isObjects(several)) return this.#union(several.map((each, i) => this.type(each, `${name}_${i + 1}`)))
    if (Array.isArray(type)) return this.#union(type.map((each) => this.type({ ...schema, type: each }, name)))
    switch (type) {
      case 'string':
        return 'str'
      case 'boolean':
        return 'bool'
      case 'null':
        return 'None'
      case 'integer':
        return 'int'
      case 'number':
        return 'float'
      case 'array':
        return `List[${isObject(items) ? this.type(items, name) : 'Any'}]`
      case 'object':
        return this.#objectType(schema, name)
      case undefined:
        return 'Any'
      default:
        throw new Error(`No type for ${JSON.stringify(schema)}`)
    }
  }

  /** What a parameter of the query may be. */
  queryType(schema: Json): string {
    return isFlag(schema) ? 'bool' : this.type(schema, '_Query')
  }

  #union(types: string[]): string {
    const own = [...new Set(types)]
    return own.length === 1 ? String(own[0]) : `Union[${own.map((each) => quoted(each)).join(', ')}]`
  }

  #objectType(schema: Json, name: string): string {
    const { properties, additionalProperties } = schema
    if (isObject(properties) && Object.keys(properties).length > 0) {
      const own = name.startsWith('_') ? name : `_${name}`
      this.#object(own, schema)
      return own
    }
    return `Dict[str, ${isObject(additionalProperties) ? this.type(additionalProperties, name) : 'Any'}]`
  }
}

/** A name that may be declared further below. */
function quoted(type: string): string {
  return /^(str|bool|int|float|None|Any)$|[[\]]/.test(type) ? type : `"${type}"`
}

function literal(value: unknown): string {
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  return JSON.stringify(value)
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isObjects(value: unknown): value is Json[] {
  return Array.isArray(value) && value.every(isObject)
}
