/** All parts that pages are made of, on one page: for those who change the design, and see at once what they changed. No page of the staff links to it. */
import { html } from '../page/html.js'
import { table } from '../page/table.js'
import { staffOnly, staffPage } from './frame.js'

export const PARTS_PATH = '/staff/parts'

const LONG = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'

/** Its forms send nothing: they have no button that does. */
const BODY = html`<p>
    The pages have one stylesheet (src/web/design): sizes, spaces and colours in tokens.ts, plain elements in base.ts,
    these parts in parts.ts.
  </p>
  <h2>Text</h2>
  <p>
    A paragraph with <a href="#text">a link</a>, <code>code</code>, <strong>weight</strong> and a <mark>mark</mark>.
  </p>
  <p class="small">Small, for what is less important.</p>
  <p class="address">agent@agents.example</p>
  <p class="good">Good news.</p>
  <p class="bad">Bad news.</p>
  <h3 id="text">A heading of the third step</h3>
  <ul>
    <li>An item</li>
    <li>${LONG}</li>
  </ul>
  <blockquote dir="auto">Words of a stranger.</blockquote>
  <pre>curl https://mail.example/v1/mailbox</pre>
  <h2>Facts</h2>
  <dl>
    <dt>From</dt>
    <dd>ada@example.org</dd>
    <dt>Key</dt>
    <dd>${LONG}</dd>
  </dl>
  <h2>Buttons and labels</h2>
  <p>
    <button type="button">The main one</button> <button type="button" class="plain">Another</button>
    <button type="button" class="danger">Harmful</button>
    <button type="button" class="danger first">Harmful, and meant</button>
    <a class="button" href="#text">A link as a button</a>
  </p>
  <p><span class="label">label</span> <span class="label bad">held</span></p>
  <h2>Notices</h2>
  <p class="card good" role="status">Saved.</p>
  <p class="card bad">It was not sent. Try again.</p>
  <div class="card notice"><p>Something to know.</p></div>
  <div class="card notice warn"><p>Something to look at.</p></div>
  <div class="card notice bad"><p>Something is wrong.</p></div>
  <div class="empty">
    <p>Nothing is here</p>
    <p>What comes next, and what to do for it.</p>
  </div>
  <h2>Fields</h2>
  <form>
    <label>A line <input type="text" autocomplete="off" /></label>
    <label
      >A choice
      <select>
        <option>One</option>
        <option>Another</option>
      </select></label
    >
    <label>Many lines <textarea></textarea></label>
    <label class="tick"><input type="checkbox" /> Something to tick</label>
  </form>
  <h2>Tables</h2>
  ${table(
    'Messages',
    ['Message', 'From', 'Since'],
    [
      ['A subject', 'ada@example.org', '2 hours ago'],
      [LONG, 'bob@example.org', '3 days ago'],
    ],
    'cards',
  )}
  <details>
    <summary>More</summary>
    <p>What is not always needed.</p>
  </details>`

export const partsPage = staffOnly('GET', PARTS_PATH, (input) =>
  staffPage({ place: null, title: 'Parts of pages', body: BODY }, input),
)
