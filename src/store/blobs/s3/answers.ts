/** The XML in answers of an S3 server, as rows of leaves: one row for the document, one for each element of a list. */
import { Parser } from 'htmlparser2'

type Leaves = Record<string, string>

export interface XmlAnswer {
  /** Name of the first element. */
  root: string
  /** Text of the elements below the first one. */
  leaves: Leaves
  /** Elements that hold others, by their name: `Contents` of a listing, `Upload`. */
  lists: { name: string; leaves: Leaves }[]
}

/** Reads what a server sent as its answer; anything but XML gives an empty root. */
export function readXml(text: string): XmlAnswer {
  const answer: XmlAnswer = { root: '', leaves: {}, lists: [] }
  const stack: { name: string; text: string; leaves: Leaves }[] = []
  const parser = new Parser(
    {
      onopentag(name) {
        if (stack.length === 0 && answer.root === '') answer.root = name
        stack.push({ name, text: '', leaves: {} })
      },
      ontext(piece) {
        const open = stack.at(-1)
        if (open) open.text += piece
      },
      onclosetag() {
        const closed = stack.pop()
        const parent = stack.at(-1)
        if (!closed || !parent) return
        const leaf = closed.text.trim()
        if (Object.keys(closed.leaves).length > 0) {
          if (stack.length === 1) answer.lists.push({ name: closed.name, leaves: closed.leaves })
        } else if (stack.length === 1) answer.leaves[closed.name] ??= leaf
        else parent.leaves[closed.name] ??= leaf
      },
    },
    { xmlMode: true, decodeEntities: true },
  )
  parser.end(text)
  return answer
}
